#!/usr/bin/env node
// argv → config → one command, loaded when it is asked for; the only file that ends the process.
import { version } from '@commonhall/contract/version';
import { Command, InvalidArgumentError, Option } from 'commander';
import { printSettings, readConfig } from './config.ts';
import { openLog, openOutput } from './log.ts';
import { printable } from './printable.ts';

/** A stop waits no longer for the last log lines to leave. */
const lastLinesMs = 500;
/** Prints a line; whatever stands in it, it stays one. */
const print = (line: string): void => {
  process.stdout.write(`${printable(line)}\n`);
};
const days = (value: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
  return Number(value);
};
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
  .description('bring the database schema to the version of this build')
  .action(async () => (await import('./commands/migrate.ts')).migrate(readConfig(), print));
program
  .command('verify')
  .description('recount every kept value; exits with status 1 when one is wrong')
  .option('--repair', 'repair what is wrong', false)
  .action(async ({ repair }: { repair: boolean }) => {
    const { verify } = await import('./commands/verify.ts');
    if (!(await verify(readConfig(), repair, print))) process.exitCode = 1;
  });
program
  .command('status')
  .description('say who is writing, which lists have too many filters, and what is still sample data')
  .action(async () => (await import('./commands/status.ts')).status(readConfig(), print));
program
  .command('import')
  .description('load records: a folder of <table>.ndjson[.gz], one such file, or - for standard input')
  .argument('<folder|file|->')
  .option('--table <table>', 'the table of the records, where the name of the file does not say it')
  .option('--dry-run', 'check everything against the database and keep nothing', false)
  .option('--strict', 'keep nothing when one record is rejected', false)
  .action(async (place: string, flags: { table?: string; dryRun: boolean; strict: boolean }) => {
    const { importData } = await import('./commands/import.ts');
    if (!(await importData(readConfig(), place, flags, print))) process.exitCode = 1;
  });
program
  .command('export')
  .description('write the public dataset as NDJSON and Parquet, or everything for backup and move')
  .requiredOption('--out <folder>', 'a folder that is empty or not there yet')
  .option('--all', 'everything, private columns and rows too, as NDJSON', false)
  .action(async ({ out, all }: { out: string; all: boolean }) => {
    const { exportData } = await import('./commands/export.ts');
    await exportData(readConfig(), out, all, print);
  });
program
  .command('demo-data')
  .description('write a believable community, the same from the same number, for import')
  .requiredOption('--out <folder>', 'where the files go')
  .option('--seed <number>', 'which community', Number, 42)
  .addOption(new Option('--scale <scale>').choices(['small', 'medium', 'large']).default('small'))
  .option('--now <moment>', 'the moment at which the world stands still')
  .option('--gzip', 'compress the files', false)
  .action(async ({ out, ...options }: { out: string; seed: number; scale: 'small'; now?: string; gzip: boolean }) => {
    const { demoData } = await import('./commands/demo-data.ts');
    await demoData(out, options, print);
  });
program
  .command('schema')
  .description('print the JSON Schema of a record')
  .argument('<table>')
  .action(async (name: string) => (await import('./commands/schema.ts')).printSchema(name, print));
program
  .command('settings')
  .description('print the effective settings, secrets masked')
  .action(() => printSettings(readConfig()).forEach(print));

const key = program.command('key').description('API keys for users');
key
  .command('create')
  .argument('<username>')
  .requiredOption('--name <name>', 'what the key is for')
  .addOption(new Option('--kind <kind>').choices(['live', 'test']).default('live'))
  .option('--days <days>', 'after so many days the key ends by itself', days)
  .action(async (username: string, options: { name: string; kind: 'live' | 'test'; days?: number }) => {
    const { createKey } = await import('./commands/key.ts');
    await createKey(readConfig(), username, { ...options, expiresInDays: options.days ?? null }, print);
  });
key.command('list').action(async () => (await import('./commands/key.ts')).printKeys(readConfig(), print));
key
  .command('revoke')
  .argument('<id>')
  .action(async (id: string) => (await import('./commands/key.ts')).revoke(readConfig(), id, print));

program.parseAsync().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  for (const line of text.split('\n')) process.stderr.write(`${printable(line)}\n`);
  process.exit(1);
});
