// Erasing a person: their rows are deleted, references to them in rows of others are cleared, and a hash of the id is
// stored so that no change and no load brings them back.
import type pg from 'pg';
import { crashPoint } from '../crash-points.ts';
import { readChange } from '../feed/change.ts';
import { parseStrictly } from '../records/strict-json.ts';
import { tables } from '../records/tables.ts';
import { erasedId, hashOf, ownerColumn, readErased } from './people.ts';

/** The tables whose key begins with the id of a person. */
export const keyedByPerson = tables.filter(({ name, key }) => key[0] === ownerColumn[name]).map(({ name }) => name);

const mentions = (value: unknown, id: string): boolean =>
  value === id ||
  (typeof value === 'object' && value !== null && Object.values(value).some((inner) => mentions(inner, id)));
const bodyMentions = (body: Buffer, id: string): boolean => {
  const json = parseStrictly(body);
  return 'reason' in json ? body.includes(id) : mentions(json.value, id);
};

/** Removes the person from rejected changes that mention the id anywhere. Returns how many did. */
const dropMentions = async (client: pg.Client, id: string): Promise<number> => {
  const withoutErased = await readErased(client);
  let dropped = 0;
  for (let after = '-1'; ; ) {
    const { rows } = await client.query<{ id: string; body: Buffer }>(
      'select id, body from rejected_changes where id > $1 order by id limit 500',
      [after],
    );
    if (rows.length === 0) return dropped;
    after = rows.at(-1)?.id ?? after;
    for (const { id: number, body } of rows.filter((row) => bodyMentions(row.body, id))) {
      const change = readChange(body);
      const record = change.op === 'put' ? withoutErased(change.table, change.record) : null;
      dropped += 1;
      // The contest of another person keeps its rejected change, without the erased person.
      if (change.op !== 'put' || record === null || mentions(record, id))
        await client.query('delete from rejected_changes where id = $1', [number]);
      else
        await client.query('update rejected_changes set body = $2 where id = $1', [
          number,
          Buffer.from(JSON.stringify({ op: 'put', table: change.table.name, record })),
        ]);
    }
  }
};

/** Returns how many rows were deleted or cleared, by table. The caller's transaction holds the writer lock. */
export const eraseUser = async (client: pg.Client, id: string): Promise<Map<string, number>> => {
  const gone = new Map<string, number>();
  const note = async (what: string, text: string, values: unknown[] = [id]) => {
    const { rowCount } = await client.query(text, values);
    if ((rowCount ?? 0) > 0) gone.set(what, rowCount ?? 0);
  };
  await note(
    'mentions in contests',
    `update contests set judge_user_ids = judge_user_ids - $1::text,
       created_by_id = case when created_by_id = $1 then $2 else created_by_id end
     where judge_user_ids ? $1 or created_by_id = $1`,
    [id, erasedId],
  );
  crashPoint('erase: mentions cleared');
  // The user comes last, because the other rows refer to it.
  for (const [table, column] of Object.entries(ownerColumn).reverse())
    await note(table, `delete from ${table} where ${column} = $1`);
  crashPoint('erase: rows deleted');
  // After the rows, which it would show for a moment.
  await note('takedowns', `delete from takedowns where table_name = 'timeline_items' and key[1] = $1`);
  await client.query(`insert into erasures values (decode($1, 'hex'), now()) on conflict do nothing`, [hashOf(id)]);
  await client.query('select lists.blank_changes($1, $2, $3)', [id, keyedByPerson, hashOf(id)]);
  crashPoint('erase: kept out');
  const dropped = await dropMentions(client, id);
  if (dropped > 0) gone.set('rejected changes', dropped);
  return gone;
};

/** Lets an erased person come back. Returns whether the person was erased. */
export const allowUser = async (client: pg.Client, id: string): Promise<boolean> =>
  ((await client.query(`delete from erasures where hash = decode($1, 'hex')`, [hashOf(id)])).rowCount ?? 0) > 0;
