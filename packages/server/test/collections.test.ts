// Collections: search, filters, sorts, addresses in every spelling, holders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createWorld } from '../../../test/helpers/world.ts';
import { canonicalAddress } from '../src/db/address.ts';
import { totalsOf } from './helpers/lists.ts';

const world = await createWorld();
const { add } = world;
const api = await world.serve();

// One TON address in its spellings (workchain 0): raw, bounceable, not bounceable, base64 and base64url.
const ton = {
  raw: '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
  bounceable: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  plain: 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
  wrong: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2M',
};
const evm = '0xAbCdEf0123456789aBcDeF0123456789AbCdEf01';
const users = [
  await add('users', { id: 'u1' }),
  await add('users', { id: 'u2' }),
  await add('users', { id: 'u3', status: 'BANNED' }),
];

await add('collections', {
  address: ton.bounceable,
  name: 'Alpha 100%',
  type: 'NFT',
  is_sbt: false,
  created_at: '2026-01-01T00:00:00Z',
});
await add('collections', {
  address: evm,
  name: 'beta_test',
  importance: 'LOW',
  created_at: '2026-01-02T00:00:00Z',
  on_chain_created_at: '2025-01-01T00:00:00Z',
});
await add('collections', {
  address: 'c3',
  name: 'ÇELEBİ back\\slash',
  category: 'event',
  created_at: '2026-01-03T00:00:00Z',
  on_chain_created_at: '2025-01-02T00:00:00Z',
});
await add('collections', {
  address: 'c4',
  name: 'Alpha',
  source: 'internal',
  status: 'ACTIVE',
  created_at: '2026-01-03T00:00:00Z',
});
await add('collections', { address: 'c5', name: 'Alpha draft', source: 'internal', status: 'DRAFT' });
await add('collections', { address: 'c6', name: 'Alpha stateless', source: 'internal', status: null });
const hidden = ['c5', 'c7', 'c8', 'c9'];
await add('collections', { address: 'c7', name: 'Alpha draft', source: 'internal', status: 'Draft' });
await add('collections', {
  address: 'c8',
  name: 'Alpha draft',
  source: 'internal',
  status: 'DRAFT',
  visibility: 'public',
});
await add('collections', { address: 'c9', name: 'Alpha hidden', visibility: 'hidden' });
await add('collections', { address: 'd1', name: 'Delta', status: 'DRAFT', created_at: '2026-01-04T00:00:00Z' });
for (const [index, user] of users.entries())
  await add('collection_holders', {
    collection_address: 'c3',
    user_id: user.id,
    acquired_at: `2026-01-0${3 - index}T00:00:00Z`,
  });
await add('collection_holders', { collection_address: evm, user_id: 'u1' });
await add('collection_holders', { collection_address: 'c5', user_id: 'u1' });

const names = async (query: Parameters<typeof api.client.listCollections>[0]) => {
  const { items, total } = await api.client.listCollections(query);
  assert.equal(total, items.length);
  return items.map(({ address }) => address);
};

test('internal drafts, in any case, and hidden collections are in no list, filter, search or total', async () => {
  const shown = [ton.bounceable, evm, 'c3', 'c4', 'd1', 'c6'];
  assert.deepEqual(await names({ sortBy: 'createdAt', sortOrder: 'asc' }), shown);
  assert.deepEqual(await names({ source: 'internal' }), ['c6', 'c4'], 'a missing status does not mean DRAFT');
  assert.deepEqual(await names({ q: 'draft' }), []);
  assert.deepEqual(await names({ q: 'hidden' }), []);
  assert.deepEqual(await names({ q: 'stateless' }), ['c6']);
  for (const address of hidden) {
    await assert.rejects(api.client.getCollection({ address }), { code: 'NOT_FOUND' });
    await assert.rejects(api.client.listCollectionHolders({ address }), { code: 'NOT_FOUND' });
  }
  assert.equal((await api.client.getCollection({ address: 'c6' })).name, 'Alpha stateless');
  assert.equal(
    (await api.client.getCollection({ address: 'd1' })).name,
    'Delta',
    'DRAFT hides internal collections only',
  );
});

test('filters match exactly and are joined by AND; an unknown value gives an empty page', async () => {
  assert.deepEqual(await names({ type: 'NFT' }), [ton.bounceable]);
  assert.deepEqual(await names({ type: 'nft' }), []);
  assert.deepEqual(await names({ importance: 'LOW' }), [evm]);
  assert.deepEqual(await names({ category: 'event' }), ['c3']);
  assert.deepEqual(await names({ isSbt: false }), [ton.bounceable]);
  assert.deepEqual(await names({ isSbt: true, sortBy: 'name', sortOrder: 'asc' }), ['c4', 'c6', 'd1', evm, 'c3']);
  assert.deepEqual(await names({ isSbt: true, importance: 'LOW', category: 'event' }), []);
});

test('search matches any part of the name in any case; %, _ and \\ are plain characters', async () => {
  assert.deepEqual(await names({ q: 'ALPHA', sortOrder: 'asc' }), [ton.bounceable, 'c4', 'c6']);
  assert.deepEqual(await names({ q: '0%' }), [ton.bounceable]);
  assert.deepEqual(await names({ q: 'a_t' }), [evm]);
  assert.deepEqual(await names({ q: 'çelebi̇' }), ['c3']);
  assert.deepEqual(await names({ q: 'k\\s' }), ['c3']);
  for (const nothing of ['%', '_', '\\', "'", 'a%a']) assert.ok(!(await names({ q: nothing })).includes('c4'), nothing);
  await assert.rejects(api.client.listCollections({ q: '   ' }), { code: 'VALIDATION_ERROR' });
  await assert.rejects(api.client.listCollections({ q: 'x'.repeat(201) }), { code: 'VALIDATION_ERROR' });
  assert.deepEqual(await names({ q: '☃'.repeat(200) }), []);
});

test('a search for several words finds the names that contain all of them, in any order', async () => {
  assert.deepEqual(await names({ q: '  pha 1 ' }), [ton.bounceable]);
  assert.deepEqual(await names({ q: 'test beta' }), [evm]);
  assert.deepEqual(await names({ q: 'STATE  alpha less' }), ['c6']);
  assert.deepEqual(await names({ q: 'alpha beta' }), []);
});

test('search finds a name in either Unicode form of its letters, and İ is another letter than i', async () => {
  const names = { composed: 'Caf\u00e9 A', decomposed: 'Cafe\u0301 B', dotted: '\u0130zmir' };
  for (const [address, name] of Object.entries(names)) await add('collections', { address, name });
  const found = async (q: string) =>
    (await api.client.listCollections({ q, sortBy: 'name', sortOrder: 'asc' })).items.map(({ address }) => address);
  for (const q of ['caf\u00e9', 'cafe\u0301', 'CAF\u00c9'])
    assert.deepEqual((await found(q)).sort(), ['composed', 'decomposed'], q);
  assert.deepEqual(
    [await found('\u0130zmir'), await found('i\u0307zmir'), await found('izmir')],
    [['dotted'], ['dotted'], []],
  );
  await world.owner.query('delete from collections where address = any ($1)', [Object.keys(names)]);
});

test('search treats all forms of the Greek sigma as equal', async () => {
  await add('collections', { address: 'greek', name: 'ΠΑΣΧΑ ΟΔΟΣ' });
  for (const q of ['ΠΑΣ', 'πας', 'οδοσ', 'ΟΔΟΣ', 'Σ']) assert.deepEqual(await names({ q }), ['greek'], q);
  await world.owner.query(`delete from collections where address = 'greek'`);
});

test('lists sort in both directions, with the address as tie-breaker in the same direction and missing chain times last', async () => {
  const [t, e] = [ton.bounceable, evm];
  assert.deepEqual(await names({ sortBy: 'name', sortOrder: 'asc' }), ['c4', t, 'c6', 'd1', e, 'c3']);
  assert.deepEqual(await names({ sortBy: 'name' }), ['c3', e, 'd1', 'c6', t, 'c4']);
  assert.deepEqual(await names({ sortBy: 'holdersCount' }), ['c3', e, 'd1', 'c6', 'c4', t]);
  assert.deepEqual(await names({ sortBy: 'holdersCount', sortOrder: 'asc' }), [t, 'c4', 'c6', 'd1', e, 'c3']);
  assert.deepEqual(await names({}), ['c6', 'd1', 'c4', 'c3', e, t]);
  assert.deepEqual(await names({ sortBy: 'onChainCreatedAt' }), ['c3', e, 'd1', 'c6', 'c4', t]);
  assert.deepEqual(await names({ sortBy: 'onChainCreatedAt', sortOrder: 'asc' }), [e, 'c3', t, 'c4', 'c6', 'd1']);
});

test('every spelling of an address finds the collection and returns the stored one; a wrong checksum is 404', async () => {
  const standard = ton.bounceable.replaceAll('-', '+').replaceAll('_', '/');
  for (const address of [ton.raw, ton.raw.toUpperCase(), ton.bounceable, ton.plain, standard])
    assert.equal((await api.client.getCollection({ address })).address, ton.bounceable, address);
  for (const address of [evm, evm.toLowerCase(), evm.toUpperCase()]) {
    assert.equal((await api.client.getCollection({ address })).address, evm, address);
    assert.equal((await api.client.listCollectionHolders({ address })).total, 1);
  }
  for (const address of [ton.wrong, ton.bounceable.toLowerCase(), 'C3'])
    await assert.rejects(api.client.getCollection({ address }), { code: 'NOT_FOUND' });
  await assert.rejects(add('collections', { address: ton.plain }), /address_key/);
  await assert.rejects(add('collections', { address: ton.wrong }), /address_key/);
});

/** The user-friendly form of a TON address, built independently here: flags, workchain, hash, CRC-16/XMODEM. */
const friendly = (flags: number, workchain: number, hash: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from([flags, workchain & 255]), hash]);
  let crc = 0;
  for (const byte of body) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return Buffer.concat([body, Buffer.from([crc >> 8, crc & 255])]);
};

test('all eight user-friendly forms of an address, over both base64 alphabets, and the raw form name the same collection', async () => {
  for (const workchain of [0, -1]) {
    const hash = Buffer.alloc(32, workchain === 0 ? 0xfb : 0xff);
    const raw = `${workchain}:${hash.toString('hex')}`;
    await add('collections', { address: friendly(0x51, workchain, hash).toString('base64url') });
    for (const flags of [0x11, 0x51, 0x91, 0xd1])
      for (const alphabet of ['base64', 'base64url'] as const) {
        const address = friendly(flags, workchain, hash).toString(alphabet);
        assert.match(address, alphabet === 'base64' ? /[+/]/ : /[-_]/);
        const found = await api.client.getCollection({ address });
        assert.equal(found.address, friendly(0x51, workchain, hash).toString('base64url'), address);
      }
    assert.equal(
      (await api.client.getCollection({ address: raw })).address,
      (await api.client.getCollection({ address: raw.toUpperCase() })).address,
    );
    await world.owner.query('delete from collections where address_key = $1', [raw]);
  }
});

test('holders are sorted by acquisition time, oldest first, and include users of every status', async () => {
  const { items, total } = await api.client.listCollectionHolders({ address: 'c3' });
  assert.deepEqual(
    [items.map(({ id, status }) => `${id} ${status}`), total],
    [['u3 BANNED', 'u2 ACTIVATED', 'u1 ACTIVATED'], 3],
  );
});

test('the detail lists the public contests, latest start first, with one entry for each role', async () => {
  const contests = [
    { id: 'k1', status: 'OPEN', submission_start: '2026-01-01T00:00:00Z' },
    { id: 'k2', status: 'DRAFT', submission_start: '2026-01-02T00:00:00Z' },
    { id: 'k3', status: 'COMPLETED', submission_start: '2026-01-03T00:00:00Z' },
    { id: 'k4', status: 'OPEN', submission_start: '2026-01-04T00:00:00Z', visibility: 'hidden' },
    { id: 'k5', status: 'SOFT', submission_start: '2026-01-05T00:00:00Z', visibility: 'public' },
  ];
  const link = { collection_address: 'c3', role: 'WINNER' };
  for (const contest of contests) {
    await add('contests', { ...contest, created_by_id: 'u1' });
    await add('collection_contests', { ...link, contest_id: contest.id });
  }
  await add('collection_contests', { ...link, contest_id: 'k1', role: 'PARTICIPANT' });
  const { contests: shown } = await api.client.getCollection({ address: 'c3' });
  assert.deepEqual(
    shown.map(({ id, role, status }) => `${id} ${role} ${status}`),
    ['k5 WINNER SOFT', 'k3 WINNER COMPLETED', 'k1 WINNER OPEN', 'k1 PARTICIPANT OPEN'],
  );
});

test('the number of holders is maintained in a separate table, also while the collection is hidden', async () => {
  const sizes = async () => {
    const { rows } = await world.owner.query<{ line: string }>(
      `select address || ' ' || holders || ' ' || is_public as line from lists.collection_sizes
       where address in ('c3', 'c5') order by address`,
    );
    return rows.map(({ line }) => line);
  };
  const total = async (parent: string) =>
    (await world.owner.query<{ rows: string }>(`select rows from ${totalsOf('holders')} where parent = $1`, [parent]))
      .rows[0]?.rows;
  assert.deepEqual(await sizes(), ['c3 3 true', 'c5 1 false']);
  assert.deepEqual([await total('c3'), await total('c5')], ['3', '1']);
  await add('collection_holders', { collection_address: 'c5', user_id: 'u2' });
  await world.owner.query(`delete from collection_holders where collection_address = 'c3' and user_id = 'u2'`);
  await world.owner.query(`update collections set status = 'ACTIVE' where address = 'c5'`);
  assert.deepEqual(await sizes(), ['c3 2 true', 'c5 2 true']);
  assert.equal((await api.client.getCollection({ address: 'c5' })).holdersCount, 2);
  await world.owner.query(`delete from collections where address = 'c5'`);
  assert.deepEqual(await sizes(), ['c3 2 true']);
  assert.equal(await total('c5'), undefined);
});

test('Node and PostgreSQL compute the same canonical form of an address', async () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
  const alphabet = fc.constantFrom('base64' as const, 'base64url' as const);
  const flags = fc.constantFrom(0x11, 0x51, 0x91, 0xd1, 0x12, 0x00);
  const workchain = fc.constantFrom(0, -1, 255, 1);
  const right = fc.tuple(flags, workchain, hash, alphabet).map(([f, w, h, a]) => friendly(f, w & 255, h).toString(a));
  const letter = fc.constantFrom(...'AQzf09+/_-:xX=');
  const spoilt = fc
    .tuple(right, fc.nat({ max: 47 }), letter)
    .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1));
  const hex = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFg'), maxLength: most });
  const raw = fc.tuple(fc.integer({ min: -2, max: 12_000_000_000 }), hex(65)).map(([w, h]) => `${w}:${h}`);
  const whole = fc.tuple(fc.constantFrom('0x', '0X', '0:', '-1:', ''), hash).map(([head, h]) => {
    const digits = h.toString('hex');
    return head + (head.toLowerCase() === '0x' ? digits.slice(0, 40) : digits).toUpperCase();
  });
  const anything = fc.string({ unit: 'grapheme', maxLength: 100 }).filter((text) => !text.includes('\0'));
  const addresses = fc.sample(fc.oneof(right, spoilt, raw, whole, anything), { numRuns: 5000, seed: 13 });
  const { rows } = await world.owner.query<{ form: string | null }>(
    'select canonical_address(a) as form from unnest($1::text[]) with ordinality u (a, n) order by n',
    [addresses],
  );
  assert.ok(rows.some(({ form }) => form === null) && rows.some(({ form }) => form?.startsWith('-1:')));
  assert.deepEqual(
    addresses.map(canonicalAddress),
    rows.map(({ form }) => form),
  );
});
