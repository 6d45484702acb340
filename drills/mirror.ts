// npm run drill -- mirror: what a page of /changes costs, how soon a mirror shows a change, and how many requests of a
// thousand copies behind Varnish reach the origin.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadSample } from '../demo/load.ts';
import { demoPictures } from '../packages/sample/src/cast.ts';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { startCommand } from '../test/helpers/feed.ts';
import { eventually, patient, serveProcess } from '../test/helpers/process.ts';
import { startVarnish } from '../test/helpers/varnish.ts';
import { startPostgres } from '../test/postgres.ts';

const part = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
const nextOf = (response: Response): string =>
  /since=([\w-]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';

/** The median time and size of a page. */
const measure = async (name: string, url: string, times: number): Promise<string> => {
  const took: number[] = [];
  let [bytes, next] = [0, ''];
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    const response = await fetch(url);
    bytes = (await response.arrayBuffer()).byteLength;
    took.push(performance.now() - began);
    next = nextOf(response);
  }
  console.log(`${name}: p50 ${part(took, 0.5).toFixed(1)} ms, ${Math.round(bytes / 1024)} kB uncompressed`);
  return next;
};

export const drillMirror = async ({ short }: { short: boolean }): Promise<void> => {
  const seconds = short ? 10 : 60;
  const [hall, copy] = [await startPostgres(), await startPostgres()];
  await loadSample(hall.url, { scale: short ? 'small' : 'medium', pictures: demoPictures }, () => {});
  await migrate(copy.url, () => {});
  const settings = { ...patient, RATE_LIMIT_PER_ADDRESS: '0' };
  const [origin, mirrored] = [await serveProcess(hall.url, settings), await serveProcess(copy.url, settings)];
  const writer = new pg.Client(hall.url);
  await writer.connect();
  const stops: (() => Promise<unknown>)[] = [...[() => writer.end(), origin.stop, mirrored.stop, hall.stop, copy.stop]];
  try {
    const began = performance.now();
    const mirror = startCommand(['mirror', origin.url], { DATABASE_URL: copy.url });
    stops.unshift(mirror.kill);
    const cursor = async () =>
      (await writer.query('select max(id)::text as id from lists.changes')).rows[0]?.id as string;
    const copied = new pg.Client(copy.url);
    await copied.connect();
    stops.unshift(() => copied.end());
    await eventually(async () => {
      const { rows } = await copied.query<{ place: string }>('select message_id as place from feed');
      assert.match(rows[0]?.place ?? '', /^\d+-[0-9a-f]{8}$/);
    }, 1_800_000);
    const { rows } = await copied.query<{ n: string }>('select count(*) as n from import_keys');
    console.log(`first walk: ${rows[0]?.n} records in ${((performance.now() - began) / 1000).toFixed(1)} s`);

    const first = await measure('a page of the walk', `${origin.url}/changes`, 30);
    await measure('the next', `${origin.url}/changes?since=${first}`, 30);
    const tip = await fetch(`${origin.url}/changes?since=${await cursor()}-00000000`);
    assert.equal(tip.status, 410);
    const { rows: at } = await copied.query<{ place: string }>('select message_id as place from feed');
    const before = at[0]?.place ?? '';
    await writer.query(`update timeline_items set date = date + interval '1 ms'
      where (user_id, id) in (select user_id, id from timeline_items where is_public limit 1000)`);
    const end = await measure('a page of 1,000 changes', `${origin.url}/changes?since=${before}`, 30);
    await measure('the end', `${origin.url}/changes?since=${end}`, 100);

    // 100 commits a second; a caller of the mirror sees how far it is.
    const committed: number[] = [];
    const late: number[] = [];
    const { rows: sponsors } = await writer.query<{ id: string }>('select id from sponsors order by id limit 1');
    const id = sponsors[0]?.id ?? '';
    const writing = (async () => {
      for (let n = 0; n < seconds * 100; n++) {
        await writer.query('update sponsors set website = $1 where id = $2', [`https://example.org/${n}`, id]);
        committed.push(performance.now());
        await sleep(Math.max(0, 10 - (performance.now() - (committed.at(-2) ?? 0))));
      }
    })();
    for (const until = performance.now() + seconds * 1000 + 5000; performance.now() < until; await sleep(20)) {
      const text = await (await fetch(`${mirrored.url}/sponsors/${id}`)).text();
      const seen = Number(/example\.org\/(\d+)/.exec(text)?.[1] ?? -1);
      while (late.length <= seen) late.push(performance.now() - (committed[late.length] ?? performance.now()));
      if (late.length === seconds * 100) break;
    }
    await writing;
    const p99 = part(late, 0.99);
    console.log(
      `${late.length} commits, from commit to the mirror's response: p50 ${part(late, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    );

    // A thousand copies at one address: the limit for one caller would count them together.
    const cache = await startVarnish(origin.url, [['1000, 1s', '1000000, 1s']]);
    stops.unshift(cache.stop);
    const reads = async () => {
      const text = await (await fetch(`${origin.metricsUrl}/metrics`)).text();
      const lines = [...text.matchAll(/^commonhall_requests_total\{[^}]*"getChanges"[^}]*\} (\d+)$/gm)];
      return lines.reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const { rows: now } = await copied.query<{ place: string }>('select message_id as place from feed');
    const readsBefore = await reads();
    let [asked, isOver] = [0, false];
    const copies = Array.from({ length: 1000 }, async () => {
      let since = now[0]?.place ?? '';
      await sleep(Math.random() * 1000);
      while (!isOver) {
        const response = await fetch(`${cache.url}/changes?since=${since}`);
        await response.arrayBuffer();
        asked += 1;
        since = nextOf(response) || since;
        await sleep(1000);
      }
    });
    for (let n = 0; n < seconds / 2; n++, await sleep(1000))
      await writer.query('update sponsors set website = $1 where id = $2', [`https://example.org/end-${n}`, id]);
    isOver = true;
    await Promise.all(copies);
    console.log(
      `1,000 copies behind Varnish, a commit a second: ${asked} requests in ${seconds / 2} s, ${(await reads()) - readsBefore} of them at the origin`,
    );
    assert.ok(p99 < 5000, `p99 ${p99} ms`);
  } finally {
    for (const stop of stops) await stop();
  }
};
