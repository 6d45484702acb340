#!/usr/bin/env node
// argv → config → one command, imported on demand; the only file that exits the process.
import { printable } from '@commonhall/contract/printable';
import { version } from '@commonhall/contract/version';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { ImportFlags } from './commands/import.ts';
import type { Config } from './config.ts';
import { givenCrashPoint, printSettings, readConfig } from './config.ts';
import { armCrashPoint } from './crash-points.ts';
import type { Log } from './log.ts';
import { openLog, openOutput } from './log.ts';

/** How long a stop waits for the last log lines to be written. */
const lastLinesMs = 500;
/** Prints one line; line breaks and other control characters in it are escaped. */
const print = (line: string): void => {
  if (!isUnread) process.stdout.write(`${printable(line)}\n`);
};
// The reader of our output may stop early: `commonhall import … | head`. The command still does all of its work.
let isUnread = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  isUnread = true;
});
/** Runs an act of the operator that exists only in this database. The hint is not part of the output. */
const outsideThePlatform = async (act: (config: Config) => Promise<void>): Promise<void> => {
  const config = readConfig();
  await act(config);
  if (config.JOURNAL_FILE === '')
    process.stderr.write(
      'a restore of the database to an earlier time undoes this; set JOURNAL_FILE to record it outside the database\n',
    );
};
const days = (value: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
  return Number(value);
};
const collect = (value: string, values: string[]): string[] => [...values, value];
const program = new Command('commonhall')
  .description('The public read API of a community of builders.')
  .version(version)
  .configureOutput({ outputError: (text, write) => write(`${text.trim()}; see: commonhall --help\n`) });

program
  .command('serve')
  .description('serve the API until SIGTERM or SIGINT')
  .action(async () => {
    const { serve } = await import('./commands/serve.ts');
    const config = readConfig();
    const output = openOutput(1);
    const running = await serve(config, openLog(config.LOG_LEVEL, output), output.dropped);
    const stop = async () => {
      const status = await running.stop().then(
        () => 0,
        () => 1,
      );
      await output.close(lastLinesMs);
      process.exit(status);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
  });
program
  .command('migrate')
  .description('bring the database schema and the lists to those of this build')
  .option('--plan', 'print what would be done, and how long writers would wait; change nothing', false)
  .action(async ({ plan }: { plan: boolean }) => {
    const { migrate, printPlan } = await import('./commands/migrate.ts');
    await (plan ? printPlan : migrate)(readConfig(), print);
  });
program
  .command('verify')
  .description('recount every maintained value and compare the journal; exits with status 1 when something is wrong')
  .option('--repair', 'repair what is wrong', false)
  .action(async ({ repair }: { repair: boolean }) => {
    const { verify } = await import('./commands/verify.ts');
    if (!(await verify(readConfig(), repair, print))) process.exitCode = 1;
  });
program
  .command('status')
  .description('say who is writing, which lists have too many filters, what is sample data, and what is hidden and why')
  .action(async () => (await import('./commands/status.ts')).status(readConfig(), print));
program
  .command('doctor')
  .description('look at everything that may need a hand, with remedies; exits with status 1 when something does')
  .action(async () => {
    const { doctor } = await import('./commands/doctor.ts');
    if (!(await doctor(readConfig(), print))) process.exitCode = 1;
  });
program
  .command('import')
  .description('load records: a folder of <table>.ndjson[.gz], one such file, or - for standard input')
  .argument('<folder|file|->')
  .option('--table <table>', 'the table of the records, where the name of the file does not say it')
  .option('--dry-run', 'check everything against the database, and roll back', false)
  .option('--strict', 'roll back when a record is rejected', false)
  .option('--prune', 'the folder is complete (manifest.json): delete the rows that are not in it', false)
  .option(
    '--confirm <table=rows>',
    'confirm the number of rows that are deleted from a table; may be repeated',
    collect,
    [],
  )
  .action(async (place: string, flags: ImportFlags) => {
    const { importData } = await import('./commands/import.ts');
    if (!(await importData(readConfig(), place, flags, print))) process.exitCode = 1;
  });
program
  .command('load')
  .description("write the views of the platform's database into a new folder, and import it: import <folder> --prune")
  .argument('<folder>', 'a folder that does not exist yet')
  .option('--confirm <table=rows>', 'as for import', collect, [])
  .action(async (folder: string, { confirm }: { confirm: string[] }) => {
    const { load } = await import('./commands/load.ts');
    if (!(await load(readConfig(), folder, confirm, print))) process.exitCode = 1;
  });
program
  .command('apply')
  .description('apply a file of changes, one per line, or - for standard input; all in one transaction')
  .argument('<file|->')
  .action(async (place: string) => {
    const { apply } = await import('./commands/apply.ts');
    if (!(await apply(readConfig(), place, print))) process.exitCode = 1;
  });
/** Runs until SIGTERM or SIGINT. */
const untilStopped = async (run: (config: Config, log: Log, signal: AbortSignal) => Promise<void>): Promise<void> => {
  const config = readConfig();
  const output = openOutput(1);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  try {
    await run(config, openLog(config.LOG_LEVEL, output), stop.signal);
  } finally {
    await output.close(lastLinesMs);
  }
  process.exit(0);
};
program
  .command('follow')
  .description('apply the changes of the platform, from its outbox or a stream, until SIGTERM or SIGINT')
  .action(async () => untilStopped((await import('./commands/follow.ts')).follow));
program
  .command('mirror')
  .description('keep a copy of the public rows of another Commonhall, until SIGTERM or SIGINT (experimental)')
  .argument('<url>', 'of its API, with its base path')
  .option('--since <cursor>', 'where a database begins that was loaded from an export: `changes` of its manifest.json')
  .action(async (origin: string, { since = null }: { since?: string | null }) => {
    const { mirror } = await import('./commands/mirror.ts');
    await untilStopped((config, log, signal) => mirror(config, origin, since, log, signal));
  });
program
  .command('outbox')
  .description("print the SQL by which a platform's database can be followed: its outbox, views to fill in, triggers")
  .argument('[table...]', "a table of the record format, or table=name where the platform's own has another name")
  .option('--more', 'the outbox is there already: print only the views and triggers', false)
  .action(async (words: string[], { more }: { more: boolean }) =>
    (await import('./commands/outbox.ts')).printOutbox(words, more, print),
  );
const rejected = program.command('rejected').description('changes that could not be applied');
rejected
  .command('list', { isDefault: true })
  .action(async () => (await import('./commands/rejected.ts')).listRejected(readConfig(), print));
const ofChanges = 'numbers of changes, or a table with the key or the name of a row';
rejected
  .command('show')
  .description('print changes with their bodies')
  .argument('<change...>', ofChanges)
  .action(async (words: string[]) => (await import('./commands/rejected.ts')).showRejected(readConfig(), words, print));
rejected
  .command('retry')
  .description('try these changes again, or all')
  .argument('[change...]', ofChanges)
  .action(async (words: string[]) => {
    const { retryRejected } = await import('./commands/rejected.ts');
    if (!(await retryRejected(readConfig(), words, print))) process.exitCode = 1;
  });
rejected
  .command('drop')
  .description('forget these changes')
  .argument('<change...>', ofChanges)
  .action(async (words: string[]) => (await import('./commands/rejected.ts')).dropRejected(readConfig(), words, print));
/** Where a word is the key of one row and the name of another. */
const onlyKey = 'what is given is a key, not a name';
const erase = program.command('erase').description('erase a person');
erase
  .command('user')
  .description('remove a user with everything of theirs, and keep them out')
  .argument('<id|username>')
  .option('--dry-run', 'count what would be erased, and erase nothing', false)
  .option('--key', onlyKey, false)
  .option('--not-loaded', 'the id of a person who is not loaded, and is to be kept out', false)
  .action(async (word: string, flags: { dryRun: boolean; key: boolean; notLoaded: boolean }) => {
    const { erase } = await import('./commands/erase.ts');
    const how = { isDryRun: flags.dryRun, isKey: flags.key, isNotLoaded: flags.notLoaded };
    if (flags.dryRun) await erase(readConfig(), word, how, print);
    else await outsideThePlatform((config) => erase(config, word, how, print));
  });
erase
  .command('allow')
  .description('let an erased user come back')
  .argument('<id>')
  .action(async (id: string) => {
    const { allowErased } = await import('./commands/erase.ts');
    await outsideThePlatform((config) => allowErased(config, id, print));
  });
const ofRow = 'its id, slug, name or address, or the values of its key in their order';
program
  .command('hide')
  .description('hide a row from everybody but its author and sponsor; no load undoes it')
  .argument('<table>')
  .argument('<row...>', ofRow)
  .option('--reason <text>', 'a note for yourself')
  .option('--key', onlyKey, false)
  .option('--not-loaded', 'the key of a row that is not loaded, and is to be hidden when it comes', false)
  .action(async (table: string, words: string[], flags: { reason?: string; key: boolean; notLoaded: boolean }) => {
    const { hide } = await import('./commands/hide.ts');
    const how = { reason: flags.reason ?? null, isKey: flags.key, isNotLoaded: flags.notLoaded };
    await outsideThePlatform((config) => hide(config, table, words, how, print));
  });
program
  .command('unhide')
  .description('take back what hide did')
  .argument('<table>')
  .argument('<row...>', ofRow)
  .option('--key', onlyKey, false)
  .action(async (table: string, words: string[], flags: { key: boolean }) => {
    const { unhide } = await import('./commands/hide.ts');
    await outsideThePlatform((config) => unhide(config, table, words, flags.key, print));
  });
program
  .command('why')
  .description('say why a row is or is not public; exits with status 1 when nothing is known of it')
  .argument('<table>')
  .argument('<row...>', ofRow)
  .action(async (table: string, words: string[]) => {
    const { why } = await import('./commands/why.ts');
    if (!(await why(readConfig(), table, words, print))) process.exitCode = 1;
  });
const journal = program.command('journal').description('the acts of the operator that JOURNAL_FILE records');
journal
  .command('replay')
  .description('after a restore: revoke, hide, show, erase and allow again what the journal says')
  .option('--dry-run', 'say what would be done, and change nothing', false)
  .action(async ({ dryRun }: { dryRun: boolean }) =>
    (await import('./commands/journal.ts')).replay(readConfig(), dryRun, print),
  );
program
  .command('export')
  .description('write the public dataset as NDJSON and Parquet, or everything for backup and move')
  .requiredOption('--out <folder>', 'a folder that is empty or does not exist')
  .option('--all', 'everything, private columns and rows too, as NDJSON', false)
  .action(async ({ out, all }: { out: string; all: boolean }) => {
    const { exportData } = await import('./commands/export.ts');
    await exportData(readConfig(), out, all, print);
  });
program
  .command('schema')
  .description('print the JSON Schema of a record of a table; without a table, that of a change')
  .argument('[table]')
  .action(async (name?: string) => (await import('./commands/schema.ts')).printSchema(name, print));
program
  .command('settings')
  .description('print the effective settings, secrets masked')
  .action(() => printSettings(readConfig()).forEach(print));

const key = program.command('key').description('API keys for users');
key
  .command('create')
  .argument('<id|username>')
  .requiredOption('--name <name>', 'what the key is for')
  .addOption(new Option('--kind <kind>').choices(['live', 'test']).default('live'))
  .option('--days <days>', 'the key expires after this many days', days)
  .option('--key', onlyKey, false)
  .action(async (word: string, options: { name: string; kind: 'live' | 'test'; days?: number; key: boolean }) => {
    const { createKey } = await import('./commands/key.ts');
    await createKey(readConfig(), word, { ...options, isKey: options.key, expiresInDays: options.days ?? null }, print);
  });
key.command('list').action(async () => (await import('./commands/key.ts')).printKeys(readConfig(), print));
key
  .command('revoke')
  .argument('<id|name>')
  .action(async (word: string) => {
    const { revoke } = await import('./commands/key.ts');
    await outsideThePlatform((config) => revoke(config, word, print));
  });

program.hook('preAction', (_, command) => {
  if (command.name() !== 'serve') armCrashPoint(givenCrashPoint());
});
program.parseAsync().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  for (const line of text.split('\n')) process.stderr.write(`${printable(line)}\n`);
  process.exit(1);
});
