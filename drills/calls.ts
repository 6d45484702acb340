// The calls of a drill: every operation, for many rows of the sample data, with the expected responses.
import assert from 'node:assert/strict';
import pg from 'pg';
import { examples } from '../demo/examples.ts';
import { checkedFetch } from '../test/helpers/checked-fetch.ts';

export interface Call {
  path: string;
  /** An API key. */
  token?: string;
  /** The field of the response that must equal the key in the path. */
  key?: { name: string; value: string };
  /** The exact response; absent if it changes during the drill. */
  expected?: { status: number; body: string };
}

/** The calls for each row of a select: the path, with {column} for values, and the response field with the key. */
const things: [select: string, ...asked: [path: string, field?: string, column?: string][]][] = [
  ['select name from agents where is_public', ['/agents/{name}', 'name'], ['/agents/{name}/metadata']],
  [
    'select id, slug from bounties where is_public',
    ['/bounties/{slug}', 'slug'],
    ['/bounties/{id}/submissions'],
    ['/bounties/{id}/winners'],
  ],
  ['select id, slug from sponsors', ['/sponsors/{slug}', 'slug'], ['/sponsors/{id}/bounties']],
  ['select slug from launches where is_public', ['/launches/{slug}', 'slug']],
  [
    'select address from lists.collection_sizes where is_public',
    ['/collections/{address}', 'address'],
    ['/collections/{address}/holders'],
  ],
  ['select id from contests where is_public', ['/contests/{id}', 'id'], ['/contests/{id}/submissions']],
  ['select contest_id, id from contest_submissions where is_public', ['/contests/{contest_id}/submissions/{id}', 'id']],
  [
    'select username from users where is_public',
    ['/users/{username}', 'username'],
    ['/users/{username}/timeline'],
    ['/launches/user/{username}'],
  ],
  [
    'select platform, platform_id from repositories where is_public',
    ['/repositories/{platform}/{platform_id}', 'platformId', 'platform_id'],
  ],
];
/** Long pages, filters and searches: the server has separate connections for them. */
const lists = ['/agents', '/bounties', '/sponsors', '/launches', '/collections', '/contests', '/repositories'].flatMap(
  (path) => [1, 2, 3].map((page) => `${path}?page=${page}&pageSize=12`),
);
const searches = ['an', 'lighthouse', 'the', 'tool', 'data', 'open'].flatMap((word) =>
  ['/agents', '/collections', '/repositories'].map((path) => `${path}?q=${word}&pageSize=5`),
);

/** Calls for at most `most` rows of each kind. */
export const callsOf = async (ownerUrl: string, most: number): Promise<Call[]> => {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  const calls: Call[] = [...examples, ...[...lists, ...searches].map((path) => ({ path }))];
  for (const [select, ...asked] of things) {
    const { rows } = await client.query<Record<string, string>>(`${select} limit ${most}`);
    for (const row of rows)
      for (const [path, name, column = name] of asked)
        calls.push({
          path: path.replace(/\{(\w+)\}/g, (_, of: string) => encodeURIComponent(row[of]!)),
          ...(name === undefined ? {} : { key: { name, value: row[column!]! } }),
        });
  }
  await client.end();
  return calls;
};

/** The reason why the body is not that of the requested resource, or null. */
export const wrongContent = ({ key }: Call, body: string): string | null => {
  const { success, data } = JSON.parse(body) as { success: boolean; data: Record<string, unknown> };
  if (!success) return `failed: ${body.slice(0, 300)}`;
  return key === undefined || data[key.name] === key.value
    ? null
    : `has the wrong ${key.name} ${JSON.stringify(data[key.name])}`;
};

/** Records the responses of a server that works correctly, checked against the contract, as the expected ones. */
export const learn = async (url: string, calls: readonly Call[]): Promise<void> => {
  const ask = checkedFetch('');
  for (const call of calls) {
    const headers: Record<string, string> = call.token === undefined ? {} : { authorization: `Bearer ${call.token}` };
    const answer = await ask(url + call.path, { headers });
    const body = await answer.text();
    assert.ok(answer.status === 200 || answer.status === 403, `${call.path}: ${answer.status} ${body}`);
    if (answer.status === 200) assert.equal(wrongContent(call, body), null, call.path);
    call.expected = { status: answer.status, body };
  }
};
