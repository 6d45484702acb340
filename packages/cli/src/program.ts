// The commands: one for each operation of the contract, with path parameters as arguments and query parameters as
// options; and the commands for profiles, completion and MCP.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Client, ListId } from '@commonhall/client';
import { createClient } from '@commonhall/client';
import { operations } from '@commonhall/contract';
import { nearest } from '@commonhall/contract/nearest';
import type { Operation } from '@commonhall/contract/operation';
import { keyNote } from '@commonhall/contract/operation';
import { printable } from '@commonhall/contract/printable';
import type { TSchema } from '@commonhall/contract/shared';
import { version } from '@commonhall/contract/version';
import { Command, InvalidArgumentError, Option } from 'commander';
import { completeWords, completionScript, shells } from './completion.ts';
import { exitStatuses, UsageError } from './failures.ts';
import type { AnyPage } from './print.ts';
import { formatOf, print, printAll } from './print.ts';
import { readProfiles, readSaid, readSettings, writeProfiles } from './settings.ts';

const name = 'commonhall-api';
export const kebab = (id: string): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

interface Global {
  url?: string;
  profile?: string;
  json?: boolean;
  ndjson?: boolean;
  timeout: number;
  retries: number;
}
const whole = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const openClient = (options: Global): Client => {
  const { url, token } = readSettings(options);
  const { protocol, hostname } = new URL(url);
  if (token !== undefined && protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    process.stderr.write(`The API key is sent to ${printable(url)} without encryption; use https.\n`);
  const { retries, timeout } = options;
  return createClient({ baseUrl: url, retries, timeoutMs: timeout * 1000, ...(token === undefined ? {} : { token }) });
};

const optionOf = (key: string, schema: TSchema): Option => {
  const { type, enum: values, description = '' } = schema as { type?: string; enum?: string[]; description?: string };
  const value = { integer: 'number', boolean: 'true|false' }[type ?? ''] ?? (values === undefined ? 'text' : 'word');
  const option = new Option(`--${kebab(key)} <${value}>`, description);
  // The server validates all other values, and its error says what is allowed.
  if (values !== undefined) return option.choices(values);
  return type === 'boolean' ? option.choices(['true', 'false']) : option;
};

/** The operation's example as a command line. */
const exampleOf = ({ id, params, example }: Operation): string => {
  const quote = (value: unknown) => (/^[\w./:@-]+$/.test(String(value)) ? String(value) : `'${value}'`);
  const options = Object.entries(example).filter(([key, value]) => !(key in params) && value !== undefined);
  return [
    `${name} ${kebab(id)}`,
    ...Object.keys(params).map((key) => quote(example[key])),
    ...options.map(([key, value]) => `--${kebab(key)} ${quote(value)}`),
  ].join(' ');
};

/** The message about a wrong use of a command, with the option that was probably meant, and its own help. */
const describeUse = (text: string, { id, query }: Operation): string => {
  const [, unknown] = /unknown option '--([\w-]+)/.exec(text) ?? [];
  const asParameter = unknown?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const near = asParameter === undefined ? undefined : nearest(asParameter, Object.keys(query));
  const meant = near === undefined ? '' : `; did you mean --${kebab(near)}?`;
  // The library suggests by spelling alone.
  return `${text.replace(/\n\(Did you mean .*\)/, '').trim()}${meant}${meant === '' ? ';' : ''} see: ${name} ${kebab(id)} --help`;
};

type Args = Record<string, string>;
type Call = (args: Args) => Promise<unknown>;
type Pages = (args: Args) => AsyncIterable<AnyPage>;

const addOperation = (program: Command, operation: Operation): void => {
  const { id, tag, summary, description, params, query, auth, answer } = operation;
  const isList = answer === 'page' || answer === 'slice';
  const command = program
    .command(kebab(id))
    .helpGroup(`${tag}:`)
    .summary(summary)
    .description(`${description}\n\n${keyNote[auth]}`.trimEnd());
  for (const [param, schema] of Object.entries(params))
    command.argument(`<${param}>`, (schema as { description?: string }).description ?? '');
  for (const [param, schema] of Object.entries(query)) command.addOption(optionOf(param, schema));
  if (isList) command.option('--all', 'read every page');
  if (answer !== 'one') command.option('--columns <names>', 'the columns of the table: slug,title,sponsor.name');
  command.configureOutput({ outputError: (text, out) => out(`${describeUse(text, operation)}\n`) });
  command.addHelpText('after', `\nExample:\n  ${exampleOf(operation)}`);
  command.action(async (...given: unknown[]) => {
    const { all, columns: asked = null, ...options } = command.opts<Args & { all?: boolean; columns?: string }>();
    const args: Args = { ...(options as Args) };
    Object.keys(params).forEach((param, index) => {
      args[param] = String(given[index]);
    });
    const global = program.opts<Global>();
    const format = formatOf(global);
    if (asked !== null && format !== 'text')
      throw new UsageError('--columns is for the table on a terminal; JSON has every key');
    const columns = { asked, usual: operation.columns ?? null };
    const client = openClient(global);
    if (!all) return print(await (client[id] as Call)(args), format, columns);
    const [position, size] = answer === 'page' ? ['page', 'pageSize'] : ['offset', 'count'];
    if (args[position!] !== undefined) throw new UsageError(`--all and --${position} exclude each other`);
    return printAll((client.pages[id as ListId] as Pages)({ [size!]: '100', ...args }), format, columns);
  });
};

const addChanges = (program: Command): void => {
  program
    .command('changes')
    .helpGroup('Other commands:')
    .description('print all public records and then what changes, one JSON object per line, to keep a copy')
    .option('--since <cursor>', 'only what has changed since this cursor')
    .option('--cursor <file>', 'begin from the cursor in this file if it exists, and write the one of each page to it')
    .option('--follow', 'wait for more at the end')
    .action(async ({ since, cursor: file, follow }: { since?: string; cursor?: string; follow?: boolean }) => {
      if (since !== undefined && file !== undefined) throw new UsageError('--since and --cursor exclude each other');
      const from = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : since;
      const client = openClient(program.opts<Global>());
      for await (const { changes, cursor } of client.changes({ since: from, follow: follow === true })) {
        for (const change of changes) process.stdout.write(`${JSON.stringify(change)}\n`);
        if (file === undefined) continue;
        writeFileSync(`${file}.new`, `${cursor}\n`);
        renameSync(`${file}.new`, file);
      }
    });
};

const addProfiles = (program: Command): void => {
  const profile = program
    .command('profile')
    .helpGroup('Other commands:')
    .description('manage profiles: URLs and API keys, saved under a name');
  profile
    .command('save')
    .argument('[name]', 'its name; commands use the profile `default` unless another one is named', 'default')
    .description('save --url (or COMMONHALL_URL), and COMMONHALL_TOKEN if it is set')
    .action((profileName: string) => {
      const settings = readSaid(program.opts<Global>().url);
      if (settings === null) throw new UsageError('Say which URL to save: --url https://api.example.org');
      writeProfiles({ ...readProfiles(), [profileName]: settings });
      process.stdout.write(
        `${printable(profileName)}: ${printable(settings.url)}${settings.token === undefined ? '' : ', with an API key'}\n`,
      );
    });
  profile
    .command('list')
    .description('list the profiles')
    .action(() => {
      for (const [profileName, { url, token }] of Object.entries(readProfiles()))
        process.stdout.write(
          `${printable(profileName)}: ${printable(url)}${token === undefined ? '' : ', with an API key'}\n`,
        );
    });
  profile
    .command('remove')
    .description('remove a profile')
    .argument('<name>')
    .action((profileName: string) => {
      const { [profileName]: removed, ...rest } = readProfiles();
      if (removed === undefined) throw new UsageError(`There is no profile ${profileName}`);
      writeProfiles(rest);
    });
};

export const makeProgram = (): Command => {
  const program = new Command(name)
    .description('Commonhall on the command line: one command for each operation of the API.')
    .version(version)
    .option('--url <url>', 'the URL of the API, with its base path; otherwise COMMONHALL_URL or the profile')
    .option('--profile <name>', 'a saved profile; otherwise COMMONHALL_PROFILE or `default`')
    .option('--json', 'print JSON; the default if the output is not a terminal')
    .option('--ndjson', 'print one JSON item per line')
    .option('--timeout <seconds>', 'how long a request may take, with its retries', whole, 30)
    .option('--retries <times>', 'how often a request is retried when the API is busy or not reachable', whole, 3)
    .exitOverride();
  program.configureOutput({ outputError: (text, out) => out(`${text.trim()}; see: ${name} --help\n`) });
  for (const operation of Object.values<Operation>(operations)) addOperation(program, operation);
  addChanges(program);
  addProfiles(program);
  program
    .command('completion')
    .helpGroup('Other commands:')
    .description(`print the completion script of a shell: ${name} completion bash`)
    .addArgument(program.createArgument('<shell>').choices(shells))
    .action((shell: string) => void process.stdout.write(completionScript(shell)));
  program
    .command('mcp')
    .helpGroup('Other commands:')
    .description('serve the operations as tools of the Model Context Protocol over standard input and output')
    .action(async () => {
      const { serveTools } = await import('./mcp.ts');
      await serveTools(openClient(program.opts<Global>()));
    });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => void process.stdout.write(completeWords(program, words)));
  const statuses = Object.entries(exitStatuses).map(([status, meaning]) => `  ${status}  ${meaning}`);
  program.addHelpText(
    'after',
    `\nThe API key is read from COMMONHALL_TOKEN or the profile.\n\nExit statuses:\n${statuses.join('\n')}`,
  );
  return program;
};
