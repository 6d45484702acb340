// The example programs of callers run, and need no more requests than they say, however long the lists are.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { populate } from '../../../test/helpers/community.ts';
import { bareEnv } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
await populate(world);
const api = await world.serve();

/** Passes requests on to the server, and counts them. */
let requests = 0;
let beforeRequest = async (_url: string): Promise<void> => {};
const counting = createServer(async (request, response) => {
  requests += 1;
  await beforeRequest(request.url ?? '');
  const answer = await fetch(api.url + request.url);
  const link = answer.headers.get('link');
  response.writeHead(answer.status, link === null ? {} : { link }).end(await answer.text());
}).listen(0, '127.0.0.1');
await once(counting, 'listening');
after(() => counting.close());

const run = async (name: string, ...args: string[]): Promise<string[]> => {
  requests = 0;
  const file = fileURLToPath(new URL(`../../../examples/callers/${name}.mts`, import.meta.url));
  const { port } = counting.address() as AddressInfo;
  const env = { ...bareEnv, COMMONHALL_URL: `http://127.0.0.1:${port}` };
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], { env, timeout: 60_000 });
  return stdout.trimEnd().split('\n');
};

test('the leaderboard shows the newest week by rank, in two requests', async () => {
  const lines = await run('leaderboard');
  assert.equal(requests, 2);
  const [newest] = (await api.client.listLaunchWeeks({ pageSize: 1 })).items;
  const { items, total } = await api.client.listLaunches({ launchWeek: newest!.launchWeek, pageSize: 10 });
  assert.equal(lines[0], `Launches of the week of ${newest!.launchWeek.slice(0, 10)}, ${total} in all`);
  for (const [n, { name }] of items.entries()) assert.match(lines[n + 1]!, new RegExp(`^ *${n + 1}\\. ${name} `));
});

test('the dashboard counts bounties by status, category and month, in three requests', async () => {
  const lines = await run('dashboard');
  assert.equal(requests, 3);
  const bounties = await Array.fromAsync(api.client.items.listBounties());
  const open = bounties.filter(({ status }) => status === 'OPEN');
  assert.equal(lines[0], `${open.length} open bounties`);
  for (const status of new Set(bounties.map((one) => one.status)))
    assert.ok(lines.includes(`  ${status}: ${bounties.filter((one) => one.status === status).length}`), status);
  for (const category of new Set(open.map((one) => one.category)))
    assert.ok(lines.includes(`  ${category}: ${open.filter((one) => one.category === category).length}`), category);
  assert.equal(lines.filter((line) => /^ {2}\d{4}-\d\d: \d+$/.test(line)).length, 12);
});

test('the badge checker says whether a person holds a badge, in one request', async () => {
  const lines = await run('badges', 'alice', 'the-collection');
  assert.equal(requests, 1);
  const { total } = await api.client.listUserBadges({ username: 'alice' });
  assert.equal(lines.length, total + 1);
  assert.equal(lines.at(-1), 'alice holds it');
  assert.equal((await run('badges', 'alice', 'draft-collection')).at(-1), 'alice does not hold it');
  assert.deepEqual(await run('badges', 'nobody'), ['there is no user nobody']);
});

test('the search box shows the matches of every list, in one request', async () => {
  const lines = await run('search', 'helper');
  assert.equal(requests, 1);
  assert.equal(lines[0], '1 agents');
  const { total } = await api.client.listBounties({ q: 'bounty' });
  assert.ok((await run('search', 'bounty')).includes(`${total} bounties`));
});

test('the copy has every bounty, also when one is hidden during the walk and the others move up', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-copy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bounties.json');
  const slugs = async () => (await Array.fromAsync(api.client.items.listBounties())).map(({ slug }) => slug).sort();
  const copied = () => Object.keys(JSON.parse(readFileSync(file, 'utf8'))).sort();
  const all = await slugs();
  assert.ok(all.length > 4);
  assert.deepEqual(await run('copy', file, '2'), [`${all.length} bounties, ${all.length} of them new; 0 gone`]);
  assert.deepEqual(copied(), all);
  const [first] = (await api.client.listBounties({ pageSize: 1 })).items;
  const hide = (visibility: string | null) =>
    world.owner.query('update bounties set visibility = $1 where slug = $2', [visibility, first!.slug]);
  beforeRequest = async (url) => {
    if (/page=2\b/.test(url)) await hide('hidden');
  };
  // The first page still had the hidden bounty; the second begins one further on.
  assert.deepEqual(await run('copy', file, '2'), [`${all.length} bounties, 0 of them new; 0 gone`]);
  assert.deepEqual(copied(), all);
  assert.deepEqual(await run('copy', file, '2'), [`${all.length - 1} bounties, 0 of them new; 1 gone`]);
  assert.deepEqual(copied(), await slugs());
  beforeRequest = async () => {};
  await hide(null);
});

test('the copy in SQLite is brought up to date in few requests, and begins again when its cursor is gone', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-copy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'bounties.db');
  const expected = async () => {
    const bounties = await Array.fromAsync(api.client.items.listBounties());
    const counts = Map.groupBy(bounties, ({ status }) => status);
    return [...counts].map(([status, all]) => `${status} ${all.length}`).sort();
  };
  assert.deepEqual(await run('sqlite', file), await expected());
  await world.owner.query(
    `update bounties set visibility = 'hidden' where slug = (select min(slug) from bounties where is_public)`,
  );
  const hidden = await expected();
  assert.deepEqual(await run('sqlite', file), hidden);
  assert.equal(requests, 2, 'what is new, and that nothing else is');
  await world.owner.query('truncate timeline_items');
  assert.deepEqual(await run('sqlite', file), hidden);
  await world.owner.query('update bounties set visibility = null');
  assert.deepEqual(await run('sqlite', file), await expected());
});
