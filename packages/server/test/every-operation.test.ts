// Guarantees of every operation, tested in loops over the contract.
// lanes: 15 18
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import type { Community } from '../../../test/helpers/community.ts';
import { listSize, populate } from '../../../test/helpers/community.ts';
import { eventually } from '../../../test/helpers/process.ts';
import type { Fault } from '../../../test/helpers/proxy.ts';
import { startProxy } from '../../../test/helpers/proxy.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();
const { calls } = await populate(world);
const api = await world.serve();

const all = Object.values<Operation>(operations);
const pathOf = (operation: Operation, args: Record<string, string | number>): string => urlOf('', operation.id, args);
const headersOf = (call: Community['calls'][Operation['id']]): Record<string, string> =>
  call.token === undefined ? {} : { authorization: `Bearer ${call.token}` };
const ask = (operation: Operation, args: Record<string, string | number>, init: RequestInit = {}) =>
  api.get(pathOf(operation, args), { headers: headersOf(calls[operation.id]), ...init });
const failureOf = async (response: Response) => (await response.json()) as { error: string; code: string };
const withoutVarying = (response: Response) =>
  [...response.headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name));

type Item = Record<string, unknown>;
/** Every item of a list. */
const wholeList = async (operation: Operation, args: object, size: number): Promise<Item[]> => {
  const { token } = calls[operation.id];
  const client = token === undefined ? api.client : api.as(token);
  const iterate = client.items as unknown as Record<string, (args: object) => AsyncIterable<Item>>;
  const sized = { ...args, [operation.answer === 'page' ? 'pageSize' : 'count']: size };
  return Array.fromAsync(iterate[operation.id]!(sized));
};
/** The values at a path like `topics[].slug`. */
const valuesAt = (item: unknown, path: string): unknown[] =>
  path.split('.').reduce<unknown[]>(
    (found, step) => {
      const inner = found.map((value) => (value as Item | null)?.[step.replace('[]', '')]);
      return step.endsWith('[]') ? inner.flat() : inner;
    },
    [item],
  );
/** The filters, each with the path of the item's values that it is compared with. */
const filtersOf = ({ query }: Operation): [name: string, path: string, isClosed: boolean][] =>
  Object.entries(query).flatMap(([name, schema]) =>
    'x-matches' in schema
      ? [[name, String(schema['x-matches']), !('maxLength' in schema)] satisfies [string, string, boolean]]
      : [],
  );
/** null comes last in both directions (gap G2). Texts compare by UTF-8 bytes, as in PostgreSQL's collation "C". */
const assertSorted = (values: unknown[], isUp: boolean, what: string): void => {
  const known = values.filter((value) => value !== null) as (string | number)[];
  assert.deepEqual(values.slice(0, known.length), known, `${what}: null comes last`);
  const sorted = known.toSorted((a, b) =>
    typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b))),
  );
  assert.deepEqual(known, isUp ? sorted : sorted.reverse(), what);
};
const textOf = (items: Item[]): string[] => items.map((item) => JSON.stringify(item)).sort();

for (const operation of all) {
  const call = calls[operation.id];
  const firstParam = Object.keys(operation.params)[0];

  test(`${operation.id}: returns data that matches the contract`, async () => {
    const response = await ask(operation, call.visible);
    assert.equal(response.status, 200);
    const { data } = (await response.json()) as { data: { items?: unknown[]; total?: number } & unknown[] };
    if (data.items !== undefined) {
      assert.ok(data.items.length > 0);
      assert.ok(
        (data.total ?? 0) >= listSize,
        `helpers/community.ts has ${data.total} of ${listSize} items for the call`,
      );
    } else if (Array.isArray(data)) assert.ok(data.length > 0);
  });

  test(`${operation.id}: HEAD has the status and headers of GET and no body`, async () => {
    const [get, head] = [await ask(operation, call.visible), await ask(operation, call.visible, { method: 'HEAD' })];
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    assert.deepEqual(withoutVarying(head), withoutVarying(get));
    if (get.headers.get('content-encoding') === null)
      assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(await get.text()));
  });

  test(`${operation.id}: OPTIONS is 204 and checks neither parameters nor credential`, async () => {
    const path = pathOf(operation, call.visible).replace(/\?.*/, '');
    const response = await api.get(`${path}?nonsense=1`, { method: 'OPTIONS' });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
    assert.equal(response.headers.get('access-control-allow-headers'), 'Authorization, If-None-Match');
  });

  test(`${operation.id}: a request with the current ETag gets 304 with the headers of the 200`, async () => {
    const get = await ask(operation, call.visible);
    const etag = get.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]{22}(-gzip)?"$/);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(operation, call.visible, { headers: { ...headersOf(call), 'if-none-match': value } });
      assert.equal(again.status, 304, value);
      for (const name of ['etag', 'cache-control', 'link', 'vary'])
        assert.equal(again.headers.get(name), get.headers.get(name), name);
    }
    const other = await ask(operation, call.visible, { headers: { ...headersOf(call), 'if-none-match': '"other"' } });
    assert.equal(other.status, 200);
  });

  const { unknown } = call;
  if (unknown !== undefined)
    test(`${operation.id}: unknown and hidden rows are 404 with the same bytes and headers`, async () => {
      const answer = await ask(operation, unknown);
      assert.equal(answer.status, 404);
      const text = await answer.text();
      for (const value of Object.values(unknown)) assert.ok(!text.includes(value), 'the requested value is not echoed');
      if (call.hidden === undefined) return;
      const hidden = await ask(operation, call.hidden);
      assert.equal(hidden.status, 404);
      assert.equal(await hidden.text(), text);
      assert.deepEqual(withoutVarying(hidden), withoutVarying(answer));
    });

  if (firstParam !== undefined)
    test(`${operation.id}: hostile path values are 4xx in the envelope`, async () => {
      const hostile = [
        '%00',
        '%',
        '%zz',
        '%C0%AF',
        '%ED%A0%80',
        '%FF',
        'a%0Ab',
        '%C2%85',
        'x'.repeat(101),
        '%E2%98%83'.repeat(101),
      ];
      for (const value of [...hostile, 'x'.repeat(10_000)]) {
        const path = operation.path.replace(`{${firstParam}}`, value).replace(/\{\w+\}/g, 'other');
        const response = await api.get(path, { headers: headersOf(call) });
        assert.equal(response.status, value.length > 8192 ? 414 : 400, `${value.slice(0, 20)} in ${operation.path}`);
        assert.equal((await failureOf(response)).code, 'VALIDATION_ERROR');
      }
      const longest = operation.path.replace(`{${firstParam}}`, '%E2%98%83'.repeat(100)).replace(/\{\w+\}/g, 'other');
      const { status } = await api.get(longest, { headers: headersOf(call) });
      assert.equal(status, unknown === undefined ? 200 : 404);
    });

  test(`${operation.id}: unknown, repeated and malformed parameters are 400, and the error names the parameter`, async () => {
    const inPath = Object.entries(call.visible).filter(([name]) => name in operation.params);
    const base = pathOf(operation, Object.fromEntries(inPath));
    const wrong = async (query: string, pattern: RegExp) => {
      const response = await api.get(`${base}?${query}`, { headers: headersOf(call) });
      assert.equal(response.status, 400, query);
      assert.match((await failureOf(response)).error, pattern, query);
    };
    await wrong('nonsense=1', /`nonsense`/);
    await wrong('__proto__=1', /`__proto__`/);
    await wrong('q%5Ba%5D=1', /`q\[a\]`/);
    await wrong('=1', /empty parameter name/);
    await wrong('%', /malformed escape/);
    for (const name of Object.keys(operation.query)) {
      await wrong(`${name}=1&${name}=1`, new RegExp(`\`${name}\` is given more than once`));
      await wrong(`${name}=`, new RegExp(`\`${name}\` must be`));
      await wrong(`${name}=%`, /malformed escape/);
      await wrong(`${name}=%C0%AF`, /malformed escape/);
      if (name !== 'q') await wrong(`${name}=%00`, new RegExp(`\`${name}\` must be`));
      await wrong(`${name.toUpperCase()}=1`, name === 'q' ? /`Q`/ : new RegExp(`did you mean \`${name}\``));
    }
  });

  test(`${operation.id}: other methods are 405 with Allow`, async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'PURGE']) {
      const response = await ask(operation, call.visible, { method });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS');
      assert.equal((await failureOf(response)).code, 'METHOD_NOT_ALLOWED');
    }
  });

  if (operation.answer === 'page' || operation.answer === 'slice') {
    const [position, size] = operation.answer === 'page' ? ['page', 'pageSize'] : ['offset', 'count'];

    test(`${operation.id}: invalid numbers are 400, and the error says what is allowed`, async () => {
      const first = operation.answer === 'page' ? 1 : 0;
      const wrong: [string, string][] = [
        '-1',
        '1.5',
        '01',
        '+1',
        'abc',
        '1e3',
        ' 1',
        '1 ',
        '0x1',
        '９',
        '9007199254740992',
      ].map((text) => [position, text]);
      if (first === 1) wrong.push([position, '0']);
      for (const text of ['0', '101', '-1', '1.0', '1e1', 'abc']) wrong.push([size, text]);
      for (const [name, text] of wrong) {
        const response = await ask(operation, { ...call.visible, [name]: text });
        assert.equal(response.status, 400, `${name}=${text}`);
        const range = name === position ? `${first} to 9007199254740991` : '1 to 100';
        assert.match((await failureOf(response)).error, new RegExp(`\`${name}\` must be an integer from ${range}`));
      }
    });

    test(`${operation.id}: the highest possible page is 200 and empty, with the exact total`, async () => {
      const read = async (args: Record<string, string | number>) => {
        const response = await ask(operation, { ...call.visible, ...args });
        assert.equal(response.status, 200);
        return (
          (await response.json()) as {
            data: { items: unknown[]; total: number; hasMore: boolean; totalPages?: number };
          }
        ).data;
      };
      const page1 = await read({});
      const far = await read({ [position]: 9007199254740991, [size]: 100 });
      assert.deepEqual(far.items, []);
      assert.equal(far.total, page1.total);
      assert.equal(far.hasMore, false);
      if (operation.answer === 'page') assert.equal(far.totalPages, Math.ceil(page1.total / 100));
    });

    test(`${operation.id}: all pages together are the whole list, no item twice, although sort keys tie`, async () => {
      const whole = await wholeList(operation, call.visible, 100);
      const joined = await wholeList(operation, call.visible, 7);
      assert.ok(whole.length >= listSize, `helpers/community.ts has ${whole.length} of ${listSize} items for the call`);
      assert.deepEqual(joined, whole);
      assert.equal(new Set(joined.map((item) => JSON.stringify(item))).size, joined.length);
    });

    const { sortBy } = operation.query as { sortBy?: { enum: string[] } };
    const { order } = operation;
    if (sortBy !== undefined || order !== undefined)
      test(`${operation.id}: every sort returns all items in its order, also page by page`, async () => {
        const whole = await wholeList(operation, call.visible, 100);
        if (order !== undefined)
          assertSorted(
            whole.map((one) => one[order[0]]),
            order[1] === 'asc',
            order.join(' '),
          );
        for (const key of sortBy?.enum ?? [])
          for (const sortOrder of ['asc', 'desc']) {
            const args = { ...call.visible, sortBy: key, sortOrder };
            const sorted = await wholeList(operation, args, 100);
            assertSorted(
              sorted.map((one) => one[key]),
              sortOrder === 'asc',
              `${key} ${sortOrder}`,
            );
            assert.deepEqual(textOf(sorted), textOf(whole), key);
            assert.deepEqual(await wholeList(operation, args, 7), sorted, key);
          }
      });

    const filters = filtersOf(operation);
    if (filters.length > 0)
      test(`${operation.id}: a filter returns the matching items with their exact total; several are joined by AND`, async () => {
        const whole = await wholeList(operation, call.visible, 100);
        const fits = (one: Item, args: Item) =>
          filters.every(([name, path]) => !(name in args) || valuesAt(one, path).includes(args[name]));
        const check = async (args: Item) => {
          const found = await wholeList(operation, { ...call.visible, ...args }, 7);
          const expected = whole.filter((one) => fits(one, args));
          assert.deepEqual(textOf(found), textOf(expected), JSON.stringify(args));
          const response = await ask(operation, { ...call.visible, ...(args as Record<string, string>) });
          const { data } = (await response.json()) as { data: { total: number } };
          assert.equal(data.total, expected.length, JSON.stringify(args));
        };
        const valuesOf = (path: string) => [
          ...new Set(whole.flatMap((one) => valuesAt(one, path)).filter((value) => value !== null)),
        ];
        for (const [name, path, isClosed] of filters) {
          const values = valuesOf(path);
          assert.ok(values.length > 1, `helpers/community.ts needs several values for ${name}`);
          for (const value of values.slice(0, 6)) await check({ [name]: value });
          if (!isClosed) await check({ [name]: 'no such value' });
        }
        if (filters.length > 1)
          for (const one of whole.slice(0, 12)) {
            const own = filters.map(([name, path]) => [name, valuesAt(one, path).at(-1) ?? undefined]);
            await check(Object.fromEntries(own.filter(([, value]) => value !== undefined)) as Item);
          }
      });

    const { from } = operation.query as { from?: { 'x-range': string; 'x-sorts'?: string[]; 'x-not-with'?: string } };
    if (from !== undefined)
      test(`${operation.id}: a range begins with \`from\` and ends before \`to\`, with its exact total, in every order that it allows`, async () => {
        const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
        const directions = 'sortOrder' in operation.query ? ['asc', 'desc'] : [undefined];
        for (const sort of from['x-sorts']?.map((sortBy) => ({ sortBy })) ?? [{}])
          for (const sortOrder of directions) {
            const key: string = 'sortBy' in sort ? String(sort.sortBy) : from['x-range'];
            const args = { ...call.visible, ...sort, ...(sortOrder && { sortOrder }) };
            const list = await wholeList(operation, args, 100);
            const check = async (range: { from?: string; to?: string }) => {
              const { from: begin = '', to: end = '~' } = range;
              const fits = (one: Item) =>
                one[key] === undefined || (one[key] !== null && begin <= one[key]! && one[key]! < end);
              const expected = list.filter(fits);
              assert.deepEqual(await wholeList(operation, { ...args, ...range }, 7), expected, JSON.stringify(range));
              const { data } = (await (await ask(operation, { ...args, ...range })).json()) as {
                data: { total: number };
              };
              assert.equal(data.total, expected.length, JSON.stringify(range));
            };
            await check({ from: first });
            await check({ to: last });
            await check({ from: first, to: last });
            const keys = list
              .map((one) => one[key])
              .filter((value) => typeof value === 'string')
              .sort();
            const [low, high] = [keys[Math.floor(keys.length / 4)], keys[Math.floor((keys.length * 3) / 4)]];
            if (low === undefined || high === undefined || low === high) continue;
            for (const range of [{ from: low }, { to: high }, { from: low, to: high }]) await check(range);
          }
      });

    if (from !== undefined)
      test(`${operation.id}: a range that is empty, in another form or against the order is 400 and says why`, async () => {
        const [low, high] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
        const wrong: [args: Record<string, string>, says: RegExp][] = [
          [{ from: high, to: low }, /`to` must be later than `from`/],
          [{ from: low, to: low }, /`to` must be later than `from`/],
          [{ from: '2026-01-01' }, /`from` must be an instant in the form 2026-01-31T00:00:00\.000Z/],
          [{ to: '2026-01-01T00:00:00Z' }, /`to` must be an instant/],
        ];
        const { sortBy } = operation.query as { sortBy?: { enum: string[] } };
        for (const other of sortBy?.enum.filter((key) => !from['x-sorts']?.includes(key)) ?? [])
          wrong.push([{ from: low, sortBy: other }, /give `sortBy` .*, not /]);
        const not = from['x-not-with'];
        if (not !== undefined) wrong.push([{ to: high, [not]: low }, new RegExp(`not allowed with \`${not}\``)]);
        for (const [args, says] of wrong) {
          const response = await ask(operation, { ...call.visible, ...args });
          assert.equal(response.status, 400, JSON.stringify(args));
          assert.match((await failureOf(response)).error, says);
        }
      });

    const { q } = operation.query as { q?: { 'x-searches': string[] } };
    if (q !== undefined)
      test(`${operation.id}: a search finds every item with all of its words, in any case`, async () => {
        const whole = await wholeList(operation, call.visible, 100);
        const texts = (one: Item) =>
          q['x-searches'].map((form) => form.replace(/\{(\w+)\}/g, (_, key: string) => String(one[key])).toLowerCase());
        const [first = ''] = texts(whole.at(-1)!);
        for (const words of [
          first,
          first.slice(1, -1).toUpperCase(),
          first.slice(0, 3),
          `${first} ${first.slice(-2)}`,
          'no-such',
        ]) {
          const found = await wholeList(operation, { ...call.visible, q: words }, 7);
          const expected = whole.filter((one) =>
            words
              .toLowerCase()
              .split(/\s+/)
              .every((part) => texts(one).some((text) => text.includes(part))),
          );
          assert.deepEqual(textOf(found), textOf(expected), words);
        }
      });

    test(`${operation.id}: the Link header has first, prev, next and last`, async () => {
      const links = async (at: number) => {
        const response = await ask(operation, { ...call.visible, [position]: at, [size]: 10 });
        const header = response.headers.get('link') ?? '';
        return Object.fromEntries(
          [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [
            rel,
            Number(new URL(url!).searchParams.get(position)),
          ]),
        );
      };
      const step = operation.answer === 'page' ? (n: number) => n : (n: number) => (n - 1) * 10;
      const total = ((await (await ask(operation, call.visible)).json()) as { data: { total: number } }).data.total;
      const last = Math.ceil(total / 10);
      assert.deepEqual(await links(step(1)), { first: step(1), next: step(2), last: step(last) });
      assert.deepEqual(await links(step(2)), { first: step(1), prev: step(1), next: step(3), last: step(last) });
      assert.deepEqual(await links(step(last)), { first: step(1), prev: step(last - 1), last: step(last) });
      const before = operation.answer === 'page' ? last : step(899);
      assert.deepEqual(await links(step(900)), { first: step(1), prev: before, last: step(last) });
    });
  }
}

test('every operation is 503 in the envelope while the database is unavailable, and recovers by itself', async () => {
  const proxy = await startProxy(world.readerUrl);
  after(() => proxy.close());
  const cut = await world.serve({ DATABASE_URL: proxy.url, STATEMENT_TIMEOUT_MS: '1000', DATABASE_WAIT_MS: '500' });
  const askAll = () =>
    Promise.all(
      all.map((operation) =>
        cut.get(pathOf(operation, calls[operation.id].visible), { headers: headersOf(calls[operation.id]) }),
      ),
    );
  const statuses = async () => (await askAll()).map(({ status }) => status);
  assert.deepEqual([...new Set(await statuses())], [200]);
  for (const fault of ['refusing', 'resetting', 'silent'] satisfies Fault[]) {
    await proxy.set(fault);
    for (const response of await askAll()) {
      assert.equal(response.status, 503, fault);
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
      assert.equal((await failureOf(response)).code, 'SERVICE_UNAVAILABLE');
    }
    await proxy.set('none');
    // One at a time: on a busy machine thirty new connections may take longer than the server waits for one.
    for (const operation of all)
      await eventually(async () => {
        const { visible } = calls[operation.id];
        const { status } = await cut.get(pathOf(operation, visible), { headers: headersOf(calls[operation.id]) });
        assert.equal(status, 200, `${operation.id} after ${fault}`);
      });
  }
});
