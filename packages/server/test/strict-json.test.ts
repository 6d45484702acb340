// Strict parsing of JSON (gap G18): what JSON.parse silently repairs or drops is a problem with its column; any other
// text parses as with JSON.parse. Also: text from files is printed so that it cannot control an operator's terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printable } from '@commonhall/contract/printable';
import fc from 'fast-check';
import { createWorld } from '../../../test/helpers/world.ts';
import { parseStrictly } from '../src/records/strict-json.ts';

const parse = (text: string | Buffer) => parseStrictly(Buffer.from(text as string));

test('every kind of problem is reported with its column', () => {
  const cases: [text: string | Buffer, column: number, reason: RegExp][] = [
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 3, /not UTF-8/],
    [Buffer.concat([Buffer.from('{"\ufffdü": "'), Buffer.from([0xc0, 0xaf])]), 9, /not UTF-8/],
    ['{"a": 1, "b": 2, "a": 3}', 18, /the key "a" is given twice/],
    ['{"a": {"x": 1, "x": 2}}', 16, /the key "x" is given twice/],
    ['[{"a": 1}, {"\\u0061": 1, "a": 2}]', 26, /the key "a" is given twice/],
    ['{"ü": "a\\u001bb"}', 9, /control character U\+001B/],
    ['{"a": "\\u0000"}', 8, /control character U\+0000/],
    ['{"a": "\\b"}', 8, /control character U\+0008/],
    ['{"a": "x\u0085y"}', 9, /control character U\+0085/],
    ['{"a\\u007f": 1}', 4, /control character U\+007F/],
    ['{"a": "\\ud800"}', 8, /half of a surrogate pair/],
    ['{"a": "\\ud800x"}', 8, /half of a surrogate pair/],
    ['{"a": "x\\udc00"}', 9, /half of a surrogate pair/],
    ['{"a": "\\udc00\\ud800"}', 8, /half of a surrogate pair/],
    ['{"a": 1e400}', 7, /too large/],
    ['{"a": 9007199254740993}', 7, /beyond 2\^53-1/],
    ['{"a": 9007199254740.993e9}', 7, /beyond 2\^53-1/],
    ['{"a": 01}', 8, /a comma or }/],
    ['{"a": 1,}', 9, /a key in quotation marks/],
    ['{"a" 1}', 6, /a colon/],
    ['{a: 1}', 2, /a key in quotation marks/],
    ['[1 2]', 4, /a comma or \]/],
    ['{"a": "x', 7, /does not end/],
    ['{"a": "x\ty"}', 9, /write it as an escape/],
    ['{"a": "\\x"}', 8, /an escape must be/],
    ['{} {}', 4, /nothing more/],
    ['', 1, /a value/],
    ['{"a": nil}', 7, /a value/],
    ['['.repeat(101) + ']'.repeat(101), 101, /more than 100 levels/],
    ['['.repeat(100_000), 101, /more than 100 levels/],
  ];
  for (const [text, column, reason] of cases) {
    const result = parse(text);
    assert.ok('reason' in result, String(text).slice(0, 40));
    assert.match(result.reason, reason, String(text).slice(0, 40));
    assert.equal(result.column, column, `${String(text).slice(0, 40)}: ${result.reason}`);
  }
});

test('text that only looks like a problem is accepted', () => {
  for (const text of [
    '{"a": "\\"b\\": c", "d": "e:"}',
    '{"a": "\\t\\n\\r", "b": "\\u00fc\\ud83d\\ude00", "__proto__": {"c": 1}}',
    '{"a": 1e10, "b": 1234567890123456, "c": 1E-400, "d": -0}',
    '{"a": "\ufffd"}',
    ' [ ] ',
    `${'['.repeat(100)}${']'.repeat(100)}`,
  ])
    assert.deepEqual(parse(text), { value: JSON.parse(text) as unknown }, text);
});

test('accepted JSON has the value of JSON.parse, and any text that JSON.parse rejects is a problem', () => {
  const text = fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0d8"aé1 e-.tfn\n\u0007') });
  fc.assert(
    fc.property(fc.oneof(fc.json(), text), (given) => {
      const result = parse(given);
      let value: unknown;
      try {
        value = JSON.parse(given);
      } catch {
        assert.ok('reason' in result && result.column >= 1, given);
        return;
      }
      if ('value' in result) assert.deepEqual(result.value, value);
      else assert.match(result.reason, /twice|control|surrogate|2\^53|large|levels/, given);
    }),
    { numRuns: 5000 },
  );
});

/** PostgreSQL stores -0 as 0. */
const withoutSign = (json: string): unknown => JSON.parse(json, (_, value: unknown) => (value === 0 ? 0 : value));

test('PostgreSQL stores whatever is accepted, as text and as JSON, with the same value', async () => {
  const { owner } = await createWorld();
  const unit = fc.oneof(
    fc.constantFrom(
      '\\',
      '"',
      '/',
      '\t',
      '\n',
      '\r',
      '\0',
      '\u0007',
      '\u0085',
      '\ud800',
      '\udc00',
      '\ufffe',
      '\uffff',
      '\u{10ffff}',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const strings = fc.string({ unit, maxLength: 8 });
  const numbers = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.constantFrom(1e308, 5e-324, -0, 2 ** 53, 1e21));
  const values = fc.sample(fc.jsonValue({ noUnicodeString: false, maxDepth: 4 }), { numRuns: 500, seed: 7 });
  const texts = fc.sample(fc.array(fc.oneof(strings, numbers)), { numRuns: 3000, seed: 8 });
  const given = [...values, ...texts, ...texts.map((items) => ({ [String(items[0])]: items }))].map((value) =>
    JSON.stringify(value),
  );
  const accepted = given.filter((json) => 'value' in parse(json));
  assert.ok(accepted.length > given.length / 4 && accepted.length < given.length, `${accepted.length} accepted`);
  const { rows } = await owner.query<{ text: string; json: string }>(
    'select given as text, given::jsonb::text as json from unnest($1::text[]) with ordinality g (given, n) order by n',
    [accepted],
  );
  for (const [index, json] of accepted.entries()) {
    assert.equal(rows[index]?.text, json);
    assert.deepEqual(withoutSign(rows[index]!.json), withoutSign(json));
  }
});

test('printable text stays on one line and has no control sequences', () => {
  assert.equal(printable('a\u001b[2Jb\r\nc\u202ed\u{e0041}'), 'a\\u{1b}[2Jb\\u{d}\\u{a}c\\u{202e}d\\u{e0041}');
  assert.equal(printable('\ud800 é 漢 😀'), '\\u{d800} é 漢 😀');
});
