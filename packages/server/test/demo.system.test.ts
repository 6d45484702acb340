// npm run demo: it is ready within minutes, all examples return 200 with data, every picture exists, and Ctrl-C leaves
// nothing behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { examples } from '../../../demo/examples.ts';
import { checkedFetch } from '../../../test/helpers/checked-fetch.ts';
import { eventually } from '../../../test/helpers/process.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('--examples prints the examples as JSON and exits', async () => {
  const child = spawn(process.execPath, ['demo/run.ts', '--examples'], { cwd: root });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.deepEqual(JSON.parse(text), examples);
});

/** All strings in a JSON value. */
function* stringsOf(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* stringsOf(part);
}

interface Data {
  items?: unknown[];
  total?: number;
}

test('the demo is ready within minutes, answers every example with 200, has every picture, and leaves nothing behind', async (t) => {
  // A private folder, because other tests load the sample at the same time. PostgreSQL may run as another user.
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-demo-test-'));
  chmodSync(folder, 0o755);
  const began = Date.now();
  const child = spawn(process.execPath, ['demo/run.ts', '--port', '0', '--pictures-port', '0'], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  // A test that fails must not leave the demo running.
  t.after(async () => {
    child.kill('SIGINT');
    await ended;
  });
  let text = '';
  const [pictures, url] = await new Promise<[string, string]>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /Pictures are at (http:\S+)\.\nCommonhall is at (http:\S+)\./.exec(text);
      if (found) resolve([found[1]!, found[2]!]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(text)));
  });
  const readyMs = Date.now() - began;
  t.diagnostic(`ready after ${(readyMs / 1000).toFixed(1)} s`);
  assert.ok(readyMs < 180_000);
  const ask = checkedFetch('');
  const get = async (path: string, token?: string): Promise<Data> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // A slow machine may be overloaded for a moment: 503 says to try again.
    const response = await eventually(async () => {
      const answer = await ask(url + path, { headers });
      assert.notEqual(answer.status, 503, path);
      return answer;
    });
    assert.equal(response.status, 200, path);
    return ((await response.json()) as { data: Data }).data;
  };
  const shown = new Set<string>();
  const collect = (data: Data): void => {
    for (const text of stringsOf(data)) if (text.startsWith(pictures)) shown.add(text);
  };
  for (const { operation, path, token } of examples) {
    const data = await get(path, token);
    const items = Array.isArray(data) ? data : data.items;
    if (items !== undefined) assert.ok(items.length > 0, `${operation} returns items`);
    collect(data);
    // For lists: all rows, not only the page of the example.
    const { pathname, searchParams } = new URL(path, url);
    const size = operation === 'getUserTimeline' ? 'count' : 'pageSize';
    searchParams.delete('page');
    searchParams.set(size, '100');
    for (let seen = 0, page = 1; seen < (items === undefined ? 0 : (data.total ?? 0)); page++) {
      searchParams.set(size === 'count' ? 'offset' : 'page', String(size === 'count' ? seen : page));
      const rows = await get(`${pathname}?${searchParams}`, token);
      assert.ok(rows.items!.length > 0, `${operation} page ${page}`);
      seen += rows.items!.length;
      collect(rows);
    }
  }
  t.diagnostic(`${shown.size} pictures`);
  assert.ok(shown.size > 500, `${shown.size} pictures`);
  for (const picture of shown) {
    const response = await fetch(picture);
    assert.equal(response.status, 200, picture);
    assert.equal(response.headers.get('content-type'), 'image/svg+xml', picture);
    assert.match(await response.text(), /^<svg /, picture);
  }
  child.kill('SIGINT');
  assert.equal(await ended, 0);
  // The programs of PostgreSQL stay for the next run.
  assert.deepEqual(
    readdirSync(folder).filter((name) => !name.startsWith('commonhall-postgres-')),
    [],
  );
  await assert.rejects(fetch(url));
  await assert.rejects(fetch(pictures));
});

test('with --live the community moves: changes of its people arrive, and the data says how fresh it is', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-live-'));
  chmodSync(folder, 0o755);
  const child = spawn(process.execPath, ['demo/run.ts', '--live', '--port', '0', '--pictures-port', '0'], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  t.after(async () => {
    child.kill('SIGINT');
    await ended;
    assert.deepEqual(
      readdirSync(folder).filter((name) => !name.startsWith('commonhall-postgres-')),
      [],
    );
  });
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [, url = ''] = await eventually(() => {
    const found = /Commonhall is at (http:\S+)\. About once a second/.exec(text);
    assert.ok(found !== null, text);
    return found;
  }, 300_000);
  const read = async (path: string) => JSON.stringify(await (await fetch(url + path)).json());
  const before = await read('/counts');
  await eventually(async () => assert.notEqual(await read('/counts'), before), 120_000);
  await eventually(async () => assert.match(await read('/status'), /"lagSeconds":[01]\./), 60_000);
});
