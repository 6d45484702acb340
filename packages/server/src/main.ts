#!/usr/bin/env node
// argv → config → one command; the only file that ends the process.
import { Command, InvalidArgumentError, Option } from 'commander';
import { demoData, demoNow } from './commands/demo-data.ts';
import { exportData } from './commands/export.ts';
import { importData } from './commands/import.ts';
import { createKey, printKeys, revoke } from './commands/key.ts';
import { migrate } from './commands/migrate.ts';
import { printSchema } from './commands/schema.ts';
import { serve } from './commands/serve.ts';
import { verify } from './commands/verify.ts';
import { printSettings, readConfig } from './config.ts';
import { openLog, openOutput } from './log.ts';

/** A stop waits no longer for the last log lines to leave. */
const lastLinesMs = 500;
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const days = (value: string): number => {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
  return Number(value);
};
const program = new Command('commonhall').description('The public read API of a community of builders.');

program
  .command('serve')
  .description('serve the API until SIGTERM or SIGINT')
  .action(async () => {
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
  .action(async () => migrate(readConfig(), print));
program
  .command('verify')
  .description('recount every kept value; ends with 1 when one is wrong')
  .option('--repair', 'mend what is wrong', false)
  .action(async ({ repair }: { repair: boolean }) => {
    if (!(await verify(readConfig(), repair, print))) process.exitCode = 1;
  });
program
  .command('import')
  .description('load records: a folder of <table>.ndjson[.gz], one such file, or - for standard input')
  .argument('<folder|file|->')
  .option('--table <table>', 'the table of the records, where the name of the file does not say it')
  .option('--dry-run', 'check everything against the database and keep nothing', false)
  .option('--strict', 'keep nothing when one record is rejected', false)
  .action(async (place: string, flags: { table?: string; dryRun: boolean; strict: boolean }) => {
    if (!(await importData(readConfig(), place, flags, print))) process.exitCode = 1;
  });
program
  .command('export')
  .description('write the public dataset as NDJSON and Parquet, or everything for backup and move')
  .requiredOption('--out <folder>', 'a folder that is empty or not there yet')
  .option('--all', 'everything, private columns and rows too, as NDJSON', false)
  .action(async ({ out, all }: { out: string; all: boolean }) => exportData(readConfig(), out, all, print));
program
  .command('demo-data')
  .description('write a believable community, the same from the same number, for import')
  .requiredOption('--out <folder>', 'where the files go')
  .option('--seed <number>', 'which community', Number, 42)
  .addOption(new Option('--scale <scale>').choices(['small', 'medium', 'large']).default('small'))
  .option('--now <moment>', 'the moment at which the world stands still', demoNow)
  .option('--gzip', 'compress the files', false)
  .action(async ({ out, ...options }: { out: string; seed: number; scale: 'small'; now: string; gzip: boolean }) =>
    demoData(out, options, print),
  );
program
  .command('schema')
  .description('print the JSON Schema of a record')
  .argument('<table>')
  .action((name: string) => printSchema(name, print));
program
  .command('settings')
  .description('print the effective settings, secrets masked')
  .action(() => print(printSettings(readConfig())));

const key = program.command('key').description('API keys for users');
key
  .command('create')
  .argument('<username>')
  .requiredOption('--name <name>', 'what the key is for')
  .addOption(new Option('--kind <kind>').choices(['live', 'test']).default('live'))
  .option('--days <days>', 'after so many days the key ends by itself', days)
  .action(async (username: string, options: { name: string; kind: 'live' | 'test'; days?: number }) =>
    createKey(readConfig(), username, { ...options, expiresInDays: options.days ?? null }, print),
  );
key.command('list').action(async () => printKeys(readConfig(), print));
key
  .command('revoke')
  .argument('<id>')
  .action(async (id: string) => revoke(readConfig(), id, print));

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
