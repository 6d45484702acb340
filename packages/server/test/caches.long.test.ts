// The caches of deploy/nginx and deploy/varnish in front of a real server: one request for many callers, nothing stale,
// and nothing of one caller for another. MUTATIONS=300 draws more disguises of a request.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { populate } from '../../../test/helpers/community.ts';
import type { Replacement } from '../../../test/helpers/deploy-files.ts';
import { eventually, serveProcess } from '../../../test/helpers/process.ts';
import { startVarnish } from '../../../test/helpers/varnish.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { behindProxy } from './helpers/behind-proxy.ts';
import { startNginx } from './helpers/nginx.ts';
import type { Mutation } from './helpers/request-mutations.ts';
import { drawMutations } from './helpers/request-mutations.ts';

const world = await createWorld();
const { tokens } = await populate(world);
const { rows } = await world.owner.query<{ id: string; user: string }>(
  `select l.id, u.id as user from launches l, users u where l.slug = 'product-1' and u.username = 'carol'`,
);
await world.add('launch_claps', { launch_id: rows[0]!.id, user_id: rows[0]!.user, claps: 50 });

const serve = async (maxAge: number) => {
  const server = await serveProcess(world.readerUrl, {
    ...behindProxy,
    MAX_AGE_SECONDS: String(maxAge),
  });
  after(() => server.child.kill('SIGKILL'));
  return server;
};
const [slow, quick] = [await serve(600), await serve(1)]; // how fast their responses change

type Program = 'nginx' | 'Varnish';
const programs: readonly Program[] = ['nginx', 'Varnish'];
/** The limit for one address, out of the way. */
const unlimited: Readonly<Record<Program, readonly Replacement[]>> = {
  nginx: [['rate=1000r/s', 'rate=1000000r/s']],
  Varnish: [['1000, 1s', '1000000, 1s']],
};
const start = async (program: Program, server: string, more: readonly Replacement[] = unlimited[program]) => {
  const url = new URL(server);
  const plain = ['ssl http2;', ';'] as const;
  const timeout = ['proxy_read_timeout 12s;', 'proxy_read_timeout 2s;'] as const;
  const started =
    program === 'nginx'
      ? await startNginx([url, url], [plain, timeout], more)
      : await startVarnish(server, [['.first_byte_timeout = 12s;', '.first_byte_timeout = 2s;'], ...more]);
  after(started.stop);
  return 'port' in started ? `http://127.0.0.1:${started.port}` : started.url;
};

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
interface Asked {
  method?: string;
  path: string;
  headers?: readonly string[];
  host?: string;
  localAddress?: string;
}
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
after(() => agent.destroy());
/** The bytes as they are sent: header lines in their spelling and order, nothing decoded. */
const ask = (url: string, asked: Asked, alone = false): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = [], host = 'api.example.org', localAddress } = asked;
    const { hostname, port } = new URL(url);
    const options = { hostname, port, method, path, headers: ['Host', host, ...headers] };
    httpRequest(
      { ...options, agent: alone ? false : agent, ...(localAddress === undefined ? {} : { localAddress }) },
      async (response) => {
        const body = Buffer.concat((await response.toArray()) as Buffer[]);
        const own = response.headers as Record<string, string>;
        resolve({ status: response.statusCode ?? 0, headers: own, body: body.toString('latin1') });
      },
    )
      .once('error', reject)
      .end();
  });
const assertFailure = ({ headers, body, ...answer }: Answer, status: number, code: string) => {
  assert.deepEqual([answer.status, (JSON.parse(body) as { code: string }).code], [status, code]);
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['access-control-allow-origin'], '*');
  assert.match(headers['x-request-id'] ?? '', /^[\w-]+$/);
};
/** How many requests of an operation the server has had. */
const requestsOf = async (server: typeof slow, operation: string): Promise<number> => {
  const text = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  const counts = text.matchAll(new RegExp(`^commonhall_requests_total\\{[^}]*"${operation}"[^}]*\\} (\\d+)$`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};

for (const program of programs) {
  test(`${program}: 64 simultaneous callers of a page that is not cached cause one request`, async () => {
    const url = await start(program, slow.url);
    const before = await requestsOf(slow, 'listRepositories');
    const all = await Promise.all([...Array(64).keys()].map(() => ask(url, { path: '/repositories' }, true)));
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(all.map(({ body }) => body)).size, 1);
    assert.equal(new Set(all.map(({ headers }) => headers['x-request-id'])).size, 64);
    await eventually(async () => assert.equal((await requestsOf(slow, 'listRepositories')) - before, 1));
  });

  test(`${program}: one stored response serves GET, HEAD, Range, If-None-Match and callers with credentials`, async () => {
    const url = await start(program, slow.url);
    const path = '/users/alice';
    const before = await requestsOf(slow, 'getUser');
    const first = await ask(url, { path });
    const { etag = '', 'content-length': length } = first.headers;
    const authorized = ['Authorization', `Bearer ${tokens.member}`, 'Cookie', 'a=b'];
    for (const headers of [
      authorized,
      ['Range', 'bytes=0-9'],
      ['Cache-Control', 'no-cache'],
      ['Accept-Encoding', 'br'],
    ])
      for (const method of ['GET', 'HEAD']) {
        const again = await ask(url, { path, method, headers });
        assert.deepEqual([again.status, again.body], [200, method === 'GET' ? first.body : '']);
        assert.deepEqual([again.headers.etag, again.headers['content-length']], [etag, length]);
        assert.equal(again.headers['cache-control'], 'public, max-age=600, must-revalidate');
      }
    const same = await ask(url, { path, headers: ['If-None-Match', etag] });
    assert.deepEqual([same.status, same.body, same.headers.etag], [304, '', etag]);
    assert.equal((await ask(url, { path, headers: ['If-None-Match', '"other"'] })).status, 200);
    assert.equal((await requestsOf(slow, 'getUser')) - before, 1);
    const packed = await ask(url, { path: '/agents', headers: ['Accept-Encoding', 'gzip, deflate, br'] });
    const repeated = await ask(url, { path: '/agents', headers: ['Accept-Encoding', 'gzip'] });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.match(packed.headers.etag ?? '', /^".*-gzip"$/);
    assert.equal(repeated.body, packed.body);
    assert.equal((await ask(url, { path: '/agents' })).headers['content-encoding'], undefined);
  });

  test(`${program}: a hidden row is gone after max-age and a second`, async (t) => {
    const url = await start(program, quick.url);
    const { rows: found } = await world.owner.query<{ id: string }>(`select id from agents where name = 'helper'`);
    const show = (visibility: string) =>
      world.owner.query(`update agents set visibility = $1 where id = $2`, [visibility, found[0]!.id]);
    await show('public');
    const path = '/agents/helper';
    await eventually(async () => assert.equal((await ask(url, { path })).status, 200));
    await show('hidden');
    const hiddenAt = performance.now();
    let last = 0;
    for (let began = hiddenAt; began < hiddenAt + 4000; await sleep(20)) {
      began = performance.now();
      if ((await ask(url, { path })).status === 200) last = began - hiddenAt;
    }
    await show('public');
    t.diagnostic(`shown for ${Math.round(last)} ms`);
    assert.ok(last < 2000, `shown after ${last} ms`);
  });

  test(`${program}: when the server is frozen, the response is a 503 and never a stale one`, async () => {
    const url = await start(program, quick.url);
    const path = '/users/alice';
    await eventually(async () => assert.equal((await ask(url, { path })).status, 200));
    quick.child.kill('SIGSTOP');
    const frozenAt = performance.now();
    try {
      while (performance.now() < frozenAt + 2000) await sleep(50); // what was stored has expired
      for (const _ of [1, 2]) {
        const answer = await ask(url, { path });
        assertFailure(answer, 503, 'SERVICE_UNAVAILABLE');
        assert.equal(answer.headers['retry-after'], '1');
      }
    } finally {
      quick.child.kill('SIGCONT');
    }
    await eventually(async () => assert.equal((await ask(url, { path })).status, 200));
  });

  test(`${program}: an address over the limit gets 429 for hits too, and another address does not`, async () => {
    const few: readonly Replacement[] =
      program === 'nginx'
        ? [
            ['rate=1000r/s', 'rate=1r/s'],
            ['burst=1000', 'burst=20'],
          ]
        : [['1000, 1s', '20, 600s']];
    const url = await start(program, slow.url, few);
    const path = '/users/alice';
    const counted = await Promise.all(
      [...Array(100).keys()].map(() => ask(url, { path, localAddress: '127.0.0.2' }, true)),
    );
    const refused = counted.filter(({ status }) => status === 429);
    assert.ok(refused.length > 50, `${refused.length} of 100`);
    assertFailure(refused[0]!, 429, 'RATE_LIMITED');
    assert.equal(refused[0]!.headers['retry-after'], '1');
    assert.equal((await ask(url, { path, localAddress: '127.0.0.3' }, true)).status, 200);
  });
}

/** The operations that read a credential, and two callers who get different responses. */
const routes = [
  { path: '/launches/product-1', tokens: [tokens.stranger, tokens.member] },
  { path: '/bounties/me', tokens: [tokens.member, tokens.author] },
  { path: '/bounties/write-docs-id/submissions/me', tokens: [tokens.author, tokens.low] },
  { path: '/sponsors/acme-id/bounties/write-docs-id/submissions', tokens: [tokens.member, tokens.stranger] },
] as const;
type Route = (typeof routes)[number];
const callers = ['one', 'other', 'nobody'] as const;
type Who = (typeof callers)[number];
/** Who comes first; all: at the same time. */
const firsts = [...callers, 'all'] as const;
type First = (typeof firsts)[number];

/** What a cache may change, and what differs between two equal requests. */
const own = ['date', 'age', 'connection', 'keep-alive', 'server', 'x-request-id', 'strict-transport-security'];
const printOf = ({ status, headers, body }: Answer, isHead: boolean): string =>
  JSON.stringify([
    status,
    Object.entries(headers)
      .filter(([name]) => !own.includes(name))
      .sort(),
    isHead ? null : hash('sha256', body),
  ]);
const requestsAs = ({ path, credential, headers }: Mutation, route: Route) => {
  const [one, other] = route.tokens;
  const target = path(route.path);
  const of = { one: credential(one, other), other: credential(other, one), nobody: [] };
  return (who: Who): Asked => ({ path: target, headers: [...of[who], ...headers] });
};

interface Case {
  request: (who: Who) => Asked;
  /** What each caller may see: what the server itself answers, with the credential or without, in any encoding. */
  allowed: Map<string, Set<string>>;
}
/** Header lines without those of a name. */
const without = (headers: readonly string[], name: string): string[] =>
  headers.flatMap((each, n) => (n % 2 === 0 && each.toLowerCase() !== name ? [each, headers[n + 1]!] : []));
/** Asks the server itself in all ways in which a cache may have asked it. */
const prepare = async (mutation: Mutation, route: Route): Promise<Case> => {
  const request = requestsAs(mutation, route);
  const allowed = new Map<string, Set<string>>();
  for (const who of callers) {
    const seen = new Set<string>();
    const { path, headers: sent = [] } = request(who);
    for (const credential of [sent, without(sent, 'authorization')])
      for (const encoding of [[], ['Accept-Encoding', 'gzip']])
        for (const method of ['GET', 'HEAD']) {
          const headers = [...without(credential, 'accept-encoding'), ...encoding];
          seen.add(printOf(await ask(slow.url, { method, path, headers }), method === 'HEAD'));
        }
    allowed.set(who, seen);
  }
  return { request, allowed };
};

interface Seen {
  id: string | undefined;
  isPrivate: boolean;
}
let hosts = 0;
/** Sends the requests of all callers to a host that the cache does not know. Returns what nobody may see. */
const leaksOf = async (url: string, { request, allowed }: Case, method: string, first: First, seen: Seen[]) => {
  hosts += 1;
  const host = `h${hosts}.example.org`;
  const found: string[] = [];
  const send = async (who: Who) => {
    const asked = request(who);
    const headers = method === 'Range' ? [...asked.headers!, 'Range', 'bytes=0-99'] : asked.headers!;
    const sent = { path: asked.path, method: method === 'HEAD' ? 'HEAD' : 'GET', headers, host };
    const answer = await ask(url, sent);
    const { 'x-request-id': id, 'cache-control': cacheControl } = answer.headers;
    seen.push({ id, isPrivate: cacheControl === 'private, no-store' });
    // The cache itself refuses a request that it cannot read.
    if (answer.status === 400 && !('etag' in answer.headers)) return;
    if (!allowed.get(who)!.has(printOf(answer, method === 'HEAD')))
      found.push(`${method} ${asked.path} ${asked.headers} by ${who}, first ${first}: ${printOf(answer, false)}`);
  };
  if (first === 'all') await Promise.all(callers.map(send));
  else for (const who of [first, ...callers.filter((each) => each !== first)]) await send(who);
  for (const who of callers) await send(who);
  return found;
};

const mutations = Number(process.env.MUTATIONS ?? 75);
/** Runs cases against a cache. Returns all responses, and what somebody saw and should not have seen. */
const isolate = async (url: string, cases: readonly Case[]) => {
  const queue = cases.flatMap((one) =>
    ['GET', 'HEAD', 'Range'].flatMap((method) => firsts.map((first) => ({ one, method, first }))),
  );
  const seen: Seen[] = [];
  const leaks: string[] = [];
  const work = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      leaks.push(...(await leaksOf(url, next.one, next.method, next.first, seen)));
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return { leaks, seen };
};
const cases: Case[] = [];
const prepareAll = async () => {
  if (cases.length > 0) return;
  for (const mutation of drawMutations(mutations))
    cases.push(...(await Promise.all(routes.map((route) => prepare(mutation, route)))));
};

test('the two callers and nobody get different responses from the server itself', async () => {
  const plain = drawMutations(1)[0]!;
  for (const route of routes) {
    const request = requestsAs(plain, route);
    const prints = await Promise.all(callers.map(async (who) => printOf(await ask(slow.url, request(who)), false)));
    assert.equal(new Set(prints).size, 3, route.path);
  }
});

for (const program of programs)
  test(`${program}: no caller sees anything of another, however the request is disguised`, async (t) => {
    await prepareAll();
    const { leaks, seen } = await isolate(await start(program, slow.url), cases);
    const privates = seen.filter(({ isPrivate }) => isPrivate).length;
    t.diagnostic(`${mutations} disguises, ${seen.length} responses, ${privates} private ones, ${leaks.length} leaks`);
    assert.deepEqual(leaks.slice(0, 5), []);
    const ids = seen.map(({ id }) => id).filter((id) => id !== undefined);
    assert.equal(new Set(ids).size, ids.length, 'a request id is repeated');
    assert.ok(privates > 100, `${privates} private responses`);
  });

/** What makes a cache store and show responses that depend on the caller. */
const broken: Readonly<Record<Program, readonly Replacement[]>> = {
  nginx: [
    ['proxy_cache_bypass $commonhall_has_credential;', ''],
    ['proxy_no_cache $commonhall_has_credential;', 'proxy_cache_valid 200 60s;'],
    ['proxy_ignore_headers Vary', 'proxy_ignore_headers Vary Cache-Control'],
  ],
  Varnish: [
    ['(\\?|$)") {\n      return (pass);', '(\\?|$)") {\n      return (hash);'],
    [
      'set beresp.ttl = 120s;\n    set beresp.uncacheable = true;',
      'set beresp.ttl = 60s;\n    unset beresp.http.Vary;',
    ],
  ],
};
for (const program of programs)
  test(`${program} with a configuration that stores private responses: the test above finds leaks`, async (t) => {
    await prepareAll();
    const { leaks } = await isolate(
      await start(program, slow.url, [...unlimited[program], ...broken[program]]),
      cases.slice(0, routes.length * 5),
    );
    t.diagnostic(`${leaks.length} leaks`);
    assert.ok(leaks.length > 20, String(leaks.length));
  });
