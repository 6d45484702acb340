// Keeps a copy of all bounties and their sponsors in SQLite, always right: npx node examples/callers/sqlite.mts bounties.db,
// while the demo runs. The first run reads everything, later runs only what has changed.
import { DatabaseSync } from 'node:sqlite';
import { ApiError, createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const db = new DatabaseSync(process.argv[2] ?? 'bounties.db');
db.exec(`
  create table if not exists sponsors (id text primary key, name text, record text);
  create table if not exists bounties (id text primary key, title text, status text, sponsor_id text, record text);
  create table if not exists place (cursor text)`);
const put = {
  sponsors: db.prepare('insert or replace into sponsors values (:id, :name, :record)'),
  bounties: db.prepare('insert or replace into bounties values (:id, :title, :status, :sponsor_id, :record)'),
};
const columns = { sponsors: ['id', 'name'], bounties: ['id', 'title', 'status', 'sponsor_id'] };
const isKept = (table: string): table is keyof typeof put => table in put;

const read = async (since: string | undefined): Promise<void> => {
  for await (const { changes, cursor } of hall.changes({ since })) {
    db.exec('begin'); // the cursor is written together with the changes
    for (const change of changes) {
      if (change.op === 'erase' || !isKept(change.table)) continue; // neither table names people
      if (change.op === 'delete') db.prepare(`delete from ${change.table} where id = ?`).run(change.key.id ?? '');
      else {
        const values = Object.fromEntries(columns[change.table].map((name) => [name, String(change.record[name])]));
        put[change.table].run({ ...values, record: JSON.stringify(change.record) });
      }
    }
    db.prepare('delete from place').run();
    db.prepare('insert into place values (?)').run(cursor);
    db.exec('commit');
  }
};

try {
  await read(db.prepare('select cursor from place').get()?.cursor as string | undefined);
} catch (error) {
  if (!(error instanceof ApiError) || error.code !== 'CURSOR_EXPIRED') throw error;
  db.exec('delete from bounties; delete from sponsors; delete from place');
  await read(undefined);
}
for (const { status, n } of db.prepare('select status, count(*) as n from bounties group by 1 order by 1').all())
  console.log(`${status} ${n}`);
