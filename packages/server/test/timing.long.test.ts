// Hidden and absent rows are indistinguishable: the same bytes and headers, and no timing difference that a caller
// could use. PAIRS sets how many pairs are timed; the result of each run is printed.
import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import type { OperationId } from '@commonhall/contract/table';
import { urlOf } from '@commonhall/contract/url';
import { populate } from '../../../test/helpers/community.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const pairCount = Number(process.env.PAIRS ?? 1000);
const world = await createWorld();
const { calls } = await populate(world);
const api = await world.serve({ CHECK_RESPONSES: 'false', LOG_LEVEL: 'silent' });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Answer {
  ms: number;
  status: number;
  headers: Record<string, unknown>;
  body: string;
}
const ask = (path: string, token?: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    get(api.url + path, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const ms = performance.now() - began;
        const { date, 'x-request-id': requestId, ratelimit, ...rest } = response.headers;
        assert.ok(date !== undefined && requestId !== undefined && ratelimit === undefined);
        resolve({ ms, status: response.statusCode ?? 0, headers: rest, body: Buffer.concat(chunks).toString() });
      });
    }).on('error', reject);
  });

/** The probability that a hidden row takes longer than an absent one: 0.5 if they are indistinguishable. */
const areaUnderCurve = (hidden: number[], absent: number[]): number => {
  const all = [...hidden.map((ms) => ({ ms, of: 1 })), ...absent.map((ms) => ({ ms, of: 0 }))].sort(
    (a, b) => a.ms - b.ms,
  );
  let ranks = 0;
  for (let start = 0; start < all.length; ) {
    let end = start;
    while (end < all.length && all[end]!.ms === all[start]!.ms) end++;
    for (let at = start; at < end; at++) ranks += all[at]!.of * ((start + end + 1) / 2);
    start = end;
  }
  return (ranks - (hidden.length * (hidden.length + 1)) / 2) / (hidden.length * absent.length);
};

const withTwins = (Object.keys(calls) as OperationId[]).filter(
  (id) => calls[id].hidden !== undefined && calls[id].unknown !== undefined,
);

/** The same path, but its last name ends in another letter: of the same length and form, but of no row. */
const absentTwin = (path: string, name: string): string =>
  path.replace(name, () => name.slice(0, -1) + (name.endsWith('f') ? 'e' : 'f'));

for (const id of withTwins)
  test(`${id}: hidden and absent rows give the same bytes and headers in the same time`, async (t) => {
    const { hidden = {}, token } = calls[id];
    const paths = [urlOf('', id, hidden), absentTwin(urlOf('', id, hidden), Object.values(hidden).at(-1) ?? '')];
    const times: [number[], number[]] = [[], []];
    for (let pair = 0; pair < pairCount + 50; pair++) {
      const first = Math.random() < 0.5 ? 0 : 1; // random order, so that neither is always the second
      const answers: Answer[] = [];
      for (const which of [first, 1 - first] as const) answers[which] = await ask(paths[which]!, token);
      const [one, other] = answers as [Answer, Answer];
      if (pair < 50) {
        const bytes = ({ status, headers, body }: Answer) => JSON.stringify([status, headers, body]);
        assert.equal(bytes(one), bytes(other));
        assert.equal(one.status, 404);
        continue; // the first 50 pairs also warm up both sides
      }
      times[0].push(one.ms);
      times[1].push(other.ms);
    }
    const area = areaUnderCurve(...times);
    t.diagnostic(`${pairCount} pairs, area under the curve ${area.toFixed(4)}`);
    const allowed = pairCount >= 20_000 ? 0.02 : 0.1; // few pairs on a busy machine reveal only a large difference
    assert.ok(Math.abs(area - 0.5) < allowed, `${area}`);
  });
