// SQL templates and prepared statements: cached texts are right, names depend only on the text, a connection holds a
// bounded number of statements, and a statement that a pooler has lost is sent again.
// lanes: 15 18
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import pg from 'pg';
import { createWorld } from '../../../test/helpers/world.ts';
import type { PreparedStatements, Row, Value } from '../src/db/connection/statement.ts';
import { noteUse, send, statementName } from '../src/db/connection/statement.ts';
import { pageStatement, windowOf } from '../src/db/page.ts';
import type { Sql } from '../src/db/sql.ts';
import { compile, compileUncached, joinSql, sql } from '../src/db/sql.ts';
import { repositoriesParts } from '../src/queries/repositories.ts';

type RepositoriesQuery = Parameters<typeof repositoriesParts>[0];
type Slot = Value | Sql;
/** Tagged templates: each has one strings array for the life of the process, whatever its slots contain. */
const templates: ((a: Slot, b: Slot) => Sql)[] = [
  (a, b) => sql`A(${a}, ${b})`,
  (a, b) => sql`${a}-${b}`,
  (a) => sql`b(${a})`,
  (a, b) => sql`[${b}${a}]`,
  () => sql`c`,
  (a, b) => joinSql([sql`x ${a}`, sql`y ${b}`], ' and '),
];

test('a cached text equals a newly compiled one, whatever its slots contained before', () => {
  const [A, , b, , c] = templates as [(typeof templates)[0], unknown, (typeof templates)[0], unknown, () => Sql];
  for (const statement of [A(b('v', null), c()), A(b(c(), null), 'v')])
    assert.deepEqual(compile(statement), compileUncached(statement));
  const { statement } = fc.letrec<{ statement: Sql; slot: Slot }>((tie) => ({
    slot: fc.oneof({ maxDepth: 4 }, fc.constantFrom<Slot>('v', 7, true, null), tie('statement')),
    statement: fc.tuple(fc.nat(templates.length - 1), tie('slot'), tie('slot')).map(([n, x, y]) => templates[n]!(x, y)),
  }));
  fc.assert(
    fc.property(fc.array(statement, { minLength: 2, maxLength: 8 }), (statements) => {
      for (const one of statements) assert.deepEqual(compile(one), compileUncached(one));
    }),
    { numRuns: 2000 },
  );
});

/** Every statement of the repository list: each filter on or off, each sort and order, 0 to `most` words. */
function* shapes(most: number): Generator<Sql> {
  const filters = ['category', 'ecosystem', 'importance', 'platform', 'status'] as const;
  for (let on = 0; on < 2 ** filters.length; on++)
    for (const sortBy of ['createdAt', 'updatedAt', 'name', 'owner'] as const)
      for (const sortOrder of ['asc', 'desc'] as const)
        for (let words = 0; words <= most; words++) {
          const given = Object.fromEntries(filters.filter((_, n) => on & (1 << n)).map((name) => [name, 'x']));
          const q = Array.from({ length: words }, (_, n) => `word${n}`).join(' ') || undefined;
          const query = { ...given, q, sortBy, sortOrder, page: 1, pageSize: 20 } as unknown as RepositoriesQuery;
          yield pageStatement(windowOf(query), repositoriesParts(query));
        }
}

test('statements of all shapes leave the memory where it was', (t) => {
  setFlagsFromString('--expose_gc');
  const gc = runInNewContext('gc') as () => void;
  const used = (): number => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  let before = 0;
  let count = 0;
  const seen = new Set<string>();
  for (const shape of shapes(16)) {
    seen.add(statementName(compile(shape).text));
    count += 1;
    if (count === 20) before = used();
  }
  const after = used();
  t.diagnostic(`${count} statements, ${seen.size} texts: ${(after / before).toFixed(3)} of ${before} bytes`);
  assert.equal(seen.size, 32 * 8 * 5, 'no words, one, two, three, more');
  assert.ok(after < before * 1.2, `${before} → ${after} bytes`);
});

test('the name of a statement depends only on its text', () => {
  assert.equal(statementName('select 1'), statementName(['select', '1'].join(' ')));
  assert.notEqual(statementName('select 1'), statementName('select 2'));
  assert.ok(statementName('select 1').length < 64, 'PostgreSQL truncates longer names');
});

test('rare statements evict each other and not statements that are used often', () => {
  const kept: PreparedStatements = { uses: new Map(), evictions: 0 };
  const common = ['a', 'b', 'c'];
  for (let round = 0; round < 1000; round++) {
    const { evicted } = noteUse(kept, `odd-${round}`, 8);
    assert.ok(evicted === null || !common.includes(evicted), String(evicted));
    for (const name of common) assert.equal(noteUse(kept, name, 8).isNew, round === 0);
    assert.ok(kept.uses.size <= 8);
  }
  // Statements that are not used any more are evicted in the end.
  for (let round = 0; round < 1000; round++) noteUse(kept, `later-${round % 8}`, 8);
  assert.ok(common.every((name) => !kept.uses.has(name)));
});

const world = await createWorld();
const client = new pg.Client(world.readerUrl);
client.on('error', () => {}); // the database is dropped at the end
await client.connect();
const ask = (text: string, values: Value[] = []): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    send(client, true, text, values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
const prepared = async () =>
  (await client.query<{ name: string }>('select name from pg_prepared_statements')).rows.map(({ name }) => name);

test('a connection holds at most 64 prepared statements, and closes those that it evicts', async () => {
  for (let n = 0; n < 100; n++) assert.deepEqual(await ask(`select ${n}::text`), [[String(n)]]);
  assert.equal((await prepared()).length, 64);
});

test('a statement that PostgreSQL has lost, or already has, is sent again without its name', async () => {
  const text = 'select $1::text as lost';
  assert.deepEqual(await ask(text, ['x']), [['x']]);
  await client.query('deallocate all');
  assert.deepEqual(await ask(text, ['y']), [['y']], 'lost');
  const other = 'select $1::text as there';
  await client.query(`prepare "${statementName(other)}" as ${other}`);
  assert.deepEqual(await ask(other, ['z']), [['z']], 'already prepared');
  await assert.rejects(ask('select no_such_column'), /no_such_column/);
  await assert.rejects(ask('select no_such_column'), /no_such_column/, 'a failed statement is not kept');
  assert.ok(!(await prepared()).includes(statementName('select no_such_column')));
});
