// A copy of this build with extra migrations, one of every kind: the later build in tests of upgrades under load.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSql } from '../../src/db/list-sql.ts';
import type { List } from '../../src/db/lists.ts';
import { bareEnv } from './process.ts';

/** A list that only the later build has. */
const ownerAgents: List = {
  name: 'owner_agents',
  table: 'agents',
  parent: 'owner_id',
  counted: 'is_public',
  facets: null,
  sorts: { created: { column: 'created_at', type: 'timestamptz' } },
  id: ['id'],
  carried: [],
  size: 256,
  fan: 96,
};

/** Each extra migration, with a text that appears in pg_stat_activity while it runs. */
export const planted: [name: string, text: string, isUnderWay: string][] = [
  [
    '0101_score',
    `select pg_sleep(0.3), 'adds a column';\nalter table users add column score integer;\n`,
    'adds a column',
  ],
  [
    '0102_score_backfill',
    `-- commonhall: repeat until no row changes
update users set score = 0 where id in (select id from users where score is null order by id limit 1000);\n`,
    'set score = 0',
  ],
  [
    '0103_score_index',
    `-- commonhall: run outside a transaction
select pg_sleep(0.3), 'builds an index';
drop index concurrently if exists users_by_score;
create index concurrently if not exists users_by_score on users (score);\n`,
    'builds an index',
  ],
  [
    '0104_owner_agents',
    `${listSql(ownerAgents)}select lists.owner_agents_recount(), pg_sleep(0.3);\n`,
    'owner_agents_recount',
  ],
  [
    '0105_only_new_servers',
    `-- commonhall: servers must know this migration\nselect pg_sleep(0.3), 'marks old servers out';\n`,
    'marks old servers out',
  ],
];

export interface Build {
  /** Its executable. */
  main: string;
  remove: () => void;
}
/** This build with the first `count` extra migrations, in a temporary folder. */
export const laterBuild = (count = planted.length): Build => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-later-'));
  const server = join(folder, 'packages/server');
  for (const part of ['src', 'migrations', 'package.json'])
    cpSync(join(root, 'packages/server', part), join(server, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of planted.slice(0, count)) writeFileSync(join(server, 'migrations', `${name}.sql`), text);
  return { main: join(server, 'src/main.ts'), remove: () => rmSync(folder, { recursive: true }) };
};

export const startMigrate = (main: string, url: string): ChildProcess =>
  spawn(process.execPath, [main, 'migrate'], {
    env: { ...bareEnv, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
