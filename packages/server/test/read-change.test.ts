// Reading a change never fails: random, mutated and hostile bytes give a change or the problems it has, and every reason
// can be stored and printed. Full run: MESSAGES=1000000 npm test -- packages/server/test/read-change.test.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../../test/helpers/platform.ts';
import { bodyOf, kinds } from '../../../test/helpers/platform.ts';
import { pick, random, seed } from '../../../test/helpers/random.ts';
import { readChange } from '../src/feed/change.ts';

const messages = Number(process.env.MESSAGES ?? 5000);

const examples = Object.entries(kinds).flatMap(([table, { key, make }]) => {
  const record = make(1);
  const of = Object.fromEntries(key.map((name) => [name, record[name]]));
  return [bodyOf({ op: 'put', table, record } as Change), bodyOf({ op: 'delete', table, key: of } as Change)];
});
examples.push('{"op":"mark","at":"2026-11-02T00:00:00.000Z"}');

const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels);
/** Values and texts that have broken a reader, here or elsewhere. */
const hostile = [
  ...['{"toString":1,"valueOf":1}', '{"__proto__":{"op":"put"}}', '[]', 'null', '1e400', '-0', '9007199254740993'],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u001b[2J"',
    '"\\u202e"',
    '""',
    '"constructor"',
    '"__proto__"',
    '"hasOwnProperty"',
  ],
  ...[deep(101, '[', ']'), deep(4466, '[', ']'), deep(4466, '{"a":', '}').replace('}', '1}'), deep(200, '[', '')],
  ...[
    '{"\\u0000":1}',
    '{"a":1,"a":2}',
    '"\ufffd"',
    '"\u0085"',
    `"${'x'.repeat(3000)}"`,
    `{${'"k":1,'.repeat(99)}"k":2}`,
  ],
];
const bytes = (text: string): Buffer => Buffer.from(text);

const mutations: ((body: Buffer) => Buffer)[] = [
  (body) => body.subarray(0, random(body.length + 1)),
  (body) => (body.length === 0 ? body : Buffer.from(body.with(random(body.length), random(256)))),
  (body) => {
    const at = random(body.length + 1);
    return Buffer.concat([body.subarray(0, at), bytes(pick(hostile)), body.subarray(at)]);
  },
  (body) => {
    const from = random(body.length + 1);
    return Buffer.concat([body.subarray(0, from), body.subarray(from + random(20))]);
  },
  // A value, then a key, is replaced by something else that is JSON.
  (body) => {
    const values = [...body.toString().matchAll(/(?<=:)("[^"]*"|[\d.]+|null|true|false|\[\]|\{\})/g)];
    if (values.length === 0) return body;
    const { index, 0: value } = pick(values);
    return bytes(body.toString().slice(0, index) + pick(hostile) + body.toString().slice(index + value.length));
  },
  (body) => {
    const keys = [...body.toString().matchAll(/"\w+"(?=:)/g)];
    const texts = hostile.filter((text) => text.startsWith('"'));
    if (keys.length === 0) return body;
    const { index, 0: key } = pick(keys);
    return bytes(body.toString().slice(0, index) + pick(texts) + body.toString().slice(index + key.length));
  },
  () => Buffer.from(Array.from({ length: random(60) }, () => random(256))),
  () => bytes(pick(hostile)),
];

const control = /[\0-\x1f\x7f-\x9f]/;
const check = (body: Buffer): string => {
  const change = readChange(body);
  if (change.op === 'mark') return 'mark';
  const reason = change.op === 'invalid' ? change.reason : change.op === 'delete' ? (change.problem ?? '') : '';
  assert.ok(reason.isWellFormed() && !control.test(reason), JSON.stringify(reason));
  assert.ok(reason.length < 100_000, `a reason of ${reason.length} characters`);
  assert.ok(change.key?.every((value) => value.isWellFormed() && !control.test(value)) ?? true, String(change.key));
  if (change.op !== 'delete') JSON.stringify(change.record); // as it is stored without erased people
  return change.op;
};

test('any bytes are read as a change or as problems that can be stored', (t) => {
  const counts: Record<string, number> = {};
  for (let n = 0; n < messages; n++) {
    let body = bytes(pick(examples));
    for (let times = random(4); times > 0; times--) body = pick(mutations)(body);
    try {
      const op = check(body);
      counts[op] = (counts[op] ?? 0) + 1;
    } catch (error) {
      throw new Error(`SEED=${seed}, message ${n}: ${body.toString('base64').slice(0, 2000)}`, { cause: error });
    }
  }
  t.diagnostic(JSON.stringify(counts));
  for (const op of ['put', 'delete', 'mark', 'invalid']) assert.ok((counts[op] ?? 0) > messages / 200, op);
});

test('what can be read of a malformed change still names its row', () => {
  const record = '{"op":"put","table":"users","record":{"id":"u1","status":"BANNED"';
  const key = (body: string | Buffer) => {
    const change = readChange(Buffer.from(body as string));
    return change.op === 'mark'
      ? null
      : [change.op, change.table?.name, change.key?.join(), change.op === 'invalid' && change.record.status];
  };
  const expected = ['invalid', 'users', 'u1', 'BANNED'];
  for (const body of [
    `\ufeff${record}}}`,
    `${record}}}\0`,
    `${record}}}\n{"op":"put"}`,
    `${record}}`,
    `${record},`,
    `${record},"bio":"cut of`,
    Buffer.from(`${record}}}`, 'utf16le'),
  ])
    assert.deepEqual(key(body), expected, String(body));
  const long = `{"op":"put","table":"users","record":{"id":"u1","status":"active","bio":"${'x'.repeat(5_000_000)}"}}`;
  assert.deepEqual(key(long), ['invalid', 'users', 'u1', undefined], 'without its state, which hides it');
  const astral = '😀'.repeat(100);
  assert.deepEqual(key(`{"op":"delete","table":"users","key":{"id":"${astral}"}}`), ['delete', 'users', astral, false]);
  const ahead = new Date(Date.now() + 120_000).toISOString();
  assert.equal(key(`{"op":"mark","at":"${ahead}"}`)?.[0], 'invalid');
});

test('changes with very many or very large parts are read in time that grows with their size', () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n])));
  const replaced = Buffer.concat([bytes('\ufffd'.repeat(300_000)), Buffer.from([0xff])]); // 900 KB
  const large = [
    bytes(`{"op":"put","table":"topics","record":${many}}`),
    bytes(`{"op":"delete","table":"topics","key":${many}}`),
    bytes(many.replace('{', '{"op":"put","table":"topics","record":{},')),
    bytes(`{"op":"put","table":"topics","record":{"id":"${'x'.repeat(5_000_000)}"}}`),
    bytes(deep(500_000, '[', ']')),
    replaced,
  ];
  for (const body of large) {
    const began = performance.now();
    assert.equal(check(body), 'invalid');
    const ms = performance.now() - began;
    assert.ok(ms < 20_000, `${body.toString().slice(0, 50)}: ${Math.round(ms)} ms`);
  }
});

test('what is absent from a change is called nothing', () => {
  const reasonOf = (text: string) => (readChange(Buffer.from(text)) as { reason?: string }).reason;
  assert.equal(reasonOf('{}'), 'op: nothing is not one of put, delete, mark');
  assert.match(reasonOf('{"op": "mark"}') ?? '', /^at: nothing is not an instant; write it like /);
});
