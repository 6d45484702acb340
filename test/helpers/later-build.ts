// A copy of this build with extra migrations, one of every kind: the later build in tests of upgrades under load.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bareEnv } from './process.ts';

/** A list that only the later build has, over a column that its migrations add. */
const shelfAgents = `
export const shelfAgents = list('shelf_agents', 'agents', 'shelf', {
  counted: 'is_public',
  sorts: { created: instant('created_at') },
});
`;

/** Each extra migration, with a text that appears in pg_stat_activity while it runs. */
export const planted: [name: string, text: string, isUnderWay: string][] = [
  [
    '0101_score',
    `select pg_sleep(1), 'adds a column';\nalter table users add column score integer;\n`,
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
select pg_sleep(1), 'builds an index';
drop index concurrently if exists users_by_score;
create index concurrently if not exists users_by_score on users (score);\n`,
    'builds an index',
  ],
  [
    '0104_shelf',
    `select pg_sleep(1), 'adds a shelf';\nalter table agents add column shelf text collate "C" not null default 'top';\n`,
    'adds a shelf',
  ],
  [
    '0105_only_new_servers',
    `-- commonhall: servers must know this migration\nselect pg_sleep(1), 'marks old servers out';\n`,
    'marks old servers out',
  ],
];

export interface Build {
  /** Its executable. */
  main: string;
  remove: () => void;
}
/** Replaces a text that is in a file of a build. */
const replaceIn = (file: string, text: string, by: string): void => {
  const before = readFileSync(file, 'utf8');
  if (!before.includes(text)) throw new Error(`${file} has no: ${text}`);
  writeFileSync(file, before.replace(text, by));
};

/** Changes of the sources below packages/server: the text of a file, and what replaces it. */
export type Change = [file: string, text: string, by: string];
/** This build as another release, with the first `count` extra migrations and with changes, in a temporary folder. */
export const laterBuild = (count = planted.length, changes: readonly Change[] = [], release = '9.0.0'): Build => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-later-'));
  const server = join(folder, 'packages/server');
  for (const part of ['src', 'migrations', 'explorer.css', 'package.json'])
    cpSync(join(root, 'packages/server', part), join(server, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of planted.slice(0, count)) writeFileSync(join(server, 'migrations', `${name}.sql`), text);
  const lists = join(server, 'src/db/lists/declarations.ts');
  if (count > 3) writeFileSync(lists, readFileSync(lists, 'utf8') + shelfAgents);
  // A count of rows that takes a while, so that it can be killed.
  for (const [file, text, by] of [
    [
      'src/db/lists/install.ts',
      "import { version } from '@commonhall/contract/version';",
      `const version = '${release}';`,
    ],
    ['src/db/lists/install.ts', 'select recount()', 'select recount(), pg_sleep(1)'],
    ...changes,
  ] as Change[])
    replaceIn(join(server, file), text, by);
  return { main: join(server, 'src/main.ts'), remove: () => rmSync(folder, { recursive: true }) };
};

export const startMigrate = (main: string, url: string): ChildProcess =>
  spawn(process.execPath, [main, 'migrate'], {
    env: { ...bareEnv, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
