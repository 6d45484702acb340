// The command line, run as a process with a real server: every operation, formats, exit statuses, profiles, completion,
// and the output on a terminal.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { ListId } from '@commonhall/client';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { listSize, populate } from '../../../test/helpers/community.ts';
import { bareEnv } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';
import { kebab, makeProgram } from '../src/program.ts';

const world = await createWorld();
const { calls, tokens } = await populate(world);
const api = await world.serve();
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'commonhall-cli-'));
after(() => rmSync(home, { recursive: true, force: true }));
const all = Object.values<Operation>(operations);

/** How many programs run in parallel: starting a program is mostly waiting. */
const together = 5;
interface Ran {
  status: number;
  out: string;
  err: string;
}
const run = (command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const settings = { ...bareEnv, XDG_CONFIG_HOME: home, COMMONHALL_URL: api.url, NO_COLOR: '1', ...env };
    execFile(command, args, { env: settings, maxBuffer: 1e8 }, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code), out, err }),
    );
  });
const cli = (args: readonly string[], env?: Record<string, string>) => run(process.execPath, [main, ...args], env);
/** The same on a terminal with this number of columns. */
const onTerminal = (args: string, columns: number) =>
  run('script', ['-qec', `stty cols ${columns}; ${process.execPath} ${main} ${args}`, '/dev/null'], { TERM: 'xterm' });

test('every operation is a command, whose JSON equals the result of the client', { timeout: 300_000 }, async () => {
  const program = makeProgram();
  const check = async ({ id, params, query, summary }: Operation) => {
    const command = program.commands.find((one) => one.name() === kebab(id));
    assert.ok(command !== undefined, id);
    assert.equal(command.summary(), summary);
    assert.deepEqual(
      command.registeredArguments.map((argument) => argument.name()),
      Object.keys(params),
      id,
    );
    const own = command.options.map((option) => option.attributeName());
    assert.deepEqual(
      own.filter((name) => name !== 'all' && name !== 'columns'),
      Object.keys(query),
      id,
    );
    for (const option of program.options) assert.ok(!own.includes(option.attributeName()), `${id} ${option.long}`);

    const { visible, as } = calls[id];
    const token = as === undefined ? undefined : tokens[as];
    const given = Object.keys(params).map((name) => visible[name]!);
    const options = Object.keys(query).flatMap((name) =>
      visible[name] === undefined ? [] : [`--${kebab(name)}`, visible[name]],
    );
    const ran = await cli([kebab(id), ...given, ...options], token === undefined ? {} : { COMMONHALL_TOKEN: token });
    assert.deepEqual([ran.status, ran.err], [0, ''], id);
    const client = token === undefined ? api.client : api.as(token);
    assert.deepEqual(JSON.parse(ran.out), await (client[id] as (args: object) => Promise<unknown>)(visible), id);
  };
  for (let at = 0; at < all.length; at += together) await Promise.all(all.slice(at, at + together).map(check));
});

test('--all reads every page, as NDJSON and as one JSON array', async () => {
  const id: ListId = 'listAgents';
  const items: unknown[] = [];
  for await (const item of api.client.items[id]()) items.push(item);
  assert.equal(items.length, listSize);
  const lines = await cli([kebab(id), '--all', '--ndjson', '--page-size', '5']);
  assert.deepEqual(
    lines.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    items,
  );
  assert.deepEqual(JSON.parse((await cli([kebab(id), '--all'])).out), items);
  assert.equal((await cli([kebab(id), '--all', '--q', 'no such agent'])).out, '[]\n');
  const timeline = operations.getUserTimeline.id;
  const whole = await cli([kebab(timeline), calls[timeline].visible.username!, '--all', '--ndjson', '--count', '7']);
  assert.equal(
    whole.out.split('\n').length - 1,
    (await api.client[timeline](calls[timeline].visible as { username: string })).total,
  );
});

test('changes prints every public record, and with a file for the cursor only what is new', async () => {
  const file = join(home, 'cursor');
  const first = await cli(['changes', '--cursor', file]);
  assert.equal(first.status, 0, first.err);
  const agents = first.out.split('\n').filter((line) => line.startsWith('{"op":"put","table":"agents"'));
  assert.equal(agents.length, listSize);
  assert.equal((await cli(['changes', '--cursor', file])).out, '');
  const cursor = readFileSync(file, 'utf8').trim();
  await world.owner.query(`update sponsors set website = 'https://new.example.org'`);
  const since = await cli(['changes', '--since', cursor]);
  assert.match(since.out, /^\{"op":"put","table":"sponsors".*new\.example\.org/);
  assert.deepEqual((await cli(['changes', '--cursor', file])).out, since.out);
  const expired = await cli(['changes', '--since', '1-00000000']);
  assert.match(expired.err, /begin again/i);
  assert.notEqual(expired.status, 0);
});

test('on a terminal counts are bar charts that fit its width', async () => {
  const { username } = calls.countUserTimeline.visible as { username: string };
  const { total, groups } = await api.client.countUserTimeline({ username, by: 'type,year', split: 'type' });
  const { out } = await onTerminal(`count-user-timeline ${username} --by type,year --split type`, 60);
  const lines = out.trimEnd().split(/\r?\n/);
  assert.equal(lines.at(-1), `${total} in all`);
  assert.deepEqual(
    lines.filter((line) => line === 'type' || line === 'year'),
    ['type', 'year'],
  );
  for (const { value, count } of groups[0]!.values) {
    const line = lines.find((one) => one.startsWith(String(value)));
    assert.match(line ?? '', new RegExp(`^${value} +${count}  █+$`));
  }
  const [most] = groups[0]!.values;
  assert.ok(lines.filter((line) => line.includes('█')).every((line) => line.length <= 60 || line.includes(',')));
  assert.match(lines.find((line) => /^\d{4} /.test(line)) ?? '', new RegExp(`${most?.value} \\d+`));
});

test('a table shows what people look for, never cuts a key, and --columns chooses others', async () => {
  const slug = 'a-slug-of-some-length-that-a-narrow-terminal-would-cut';
  await world.add('sponsors', { id: 'table-sponsor', slug: 'table-sponsor' });
  await world.add('bounties', {
    ...{ id: 'table-bounty', slug, title: 'A title that is long enough to be cut on a terminal of eighty columns' },
    ...{
      sponsor_id: 'table-sponsor',
      rewards: JSON.stringify([
        { place: 1, amount: 500 },
        { place: 2, amount: 250 },
      ]),
    },
  });
  const wide = (await onTerminal('list-bounties --sponsor-id table-sponsor', 140)).out.split('\r\n');
  assert.match(wide[0]!, /^slug +title +status +rewards\.amount +submissionEnd +sponsor\.slug$/);
  assert.match(
    wide[1]!,
    new RegExp(`^${slug}  A title .*…  OPEN    500, 250  +2026-01-05T00:00:00\\.000Z  table-sponsor$`),
  );
  const narrow = (await onTerminal('list-bounties --sponsor-id table-sponsor', 80)).out.split('\r\n');
  assert.ok(narrow[1]!.startsWith(`${slug}  A title t…  `), narrow[1]);
  assert.ok(narrow[1]!.length <= 80, narrow[1]);
  const own = (await onTerminal('list-bounties --sponsor-id table-sponsor --columns id,sponsor.name,rewards', 80)).out;
  assert.match(own, /^id +sponsor\.name +rewards\r\ntable-bounty +Sponsor \d+ +\[\{"place":1,"amount":500\}/);
  const wrong = await onTerminal('list-bounties --sponsor-id table-sponsor --columns slugs', 80);
  assert.match(wrong.out, /^There is no column slugs; did you mean slug\? There are: id, slug, /);
  assert.equal(wrong.status, 2);
  const deep = await onTerminal('list-bounties --sponsor-id table-sponsor --columns slug,rewards.amont', 80);
  assert.match(deep.out, /^There is no column rewards\.amont\. There are: id, slug, /);
  await world.add('sponsors', { id: 'a-long-name', slug: 'a-long-name', name: `A ${'long '.repeat(30)}name` });
  const long = (await onTerminal('list-sponsors --page-size 100', 60)).out.split('\r\n');
  assert.match(long[0]!, /^slug +name/, 'a long name does not take the place of the other columns');
});

test('errors say what to do, and the exit status tells their kind', async () => {
  const cases: [args: string[], status: number, text: RegExp, env?: Record<string, string>][] = [
    [
      ['get-agent', 'nobody'],
      3,
      /^NOT_FOUND: Agent not found; give its name, not its id: .*\n.*\nRequest id: [0-9a-f-]{36}\n$/,
    ],
    [['list-agents', '--page-size', '500'], 2, /^VALIDATION_ERROR: .*1 to 100/],
    [['list-agents', '--sort-by', 'size'], 2, /Allowed choices are .*; see: commonhall-api/],
    [
      ['list-agents', '--page-siz', '5'],
      2,
      /unknown option '--page-siz'; did you mean --page-size\? see: commonhall-api list-agents --help\n$/,
    ],
    [
      ['list-agents', '--limit', '3'],
      2,
      /unknown option '--limit'; did you mean --page-size\? see: commonhall-api list-agents --help\n$/,
    ],
    [
      ['get-user-timeline', 'ada', '--limit', '3'],
      2,
      /did you mean --count\? see: commonhall-api get-user-timeline --help/,
    ],
    [['list-agents', '--columns', 'name'], 2, /--columns is for the table on a terminal/],
    [['list-agent'], 2, /unknown command 'list-agent'\n?.*list-agents/s],
    [['get-agent'], 2, /missing required argument 'name'/],
    [['get-agent', '..'], 2, /name cannot be \.\./],
    [['list-agents', '--all', '--page', '2'], 2, /--all and --page exclude each other/],
    [['list-agents', '--json', '--ndjson'], 2, /exclude each other/],
    [['list-my-bounties'], 4, /^UNAUTHORIZED: .*\nSet COMMONHALL_TOKEN/],
    [['list-agents'], 2, /^Say where the API is: --url/, { COMMONHALL_URL: '' }],
    [['list-agents', '--url', 'api.example.org'], 2, /is not an absolute URL; write it like https:/],
    [['list-agents', '--profile', 'none'], 2, /There is no profile none/],
    [
      ['list-agents', '--retries', '0'],
      5,
      /^NO_ANSWER: No complete response from http/,
      { COMMONHALL_URL: 'http://127.0.0.1:9' },
    ],
  ];
  const check = async ([args, status, text, env]: (typeof cases)[number]) => {
    const ran = await cli(args, env);
    assert.equal(ran.status, status, `${args.join(' ')}: ${ran.err}`);
    assert.match(ran.err, text, args.join(' '));
    assert.equal(ran.out, '', args.join(' '));
  };
  for (let at = 0; at < cases.length; at += together) await Promise.all(cases.slice(at, at + together).map(check));
  const { out } = await cli(['--help']);
  for (const [, status] of cases)
    assert.match(out, new RegExp(`^  ${status}  `, 'm'), 'the help has every exit status');
});

test('on a terminal a list is a table that fits, names its omitted columns and escapes control codes', async () => {
  await world.add('agents', {
    name: 'hostile',
    display_name: 'turned\u202ebackwards\u{e0001}',
    owner_id: 'user-1',
    category: 'zz-hostile',
  });
  const ran = await onTerminal('list-agents --category zz-hostile', 80);
  assert.equal(ran.status, 0, ran.out);
  const lines = ran.out.split('\r\n');
  assert.match(lines[0]!, /^name +displayName +category +online/);
  assert.match(lines[1]!, /hostile +turned\\u\{202e\}backwards\\u\{e0001\}/);
  for (const line of lines.slice(0, 2)) assert.ok(line.length <= 80, line);
  assert.match(ran.out, /Not shown: id, .*status.*--columns chooses, --json/);
  assert.match(ran.out, /page 1 of 1, 1 in all/);
  const one = await onTerminal('get-agent hostile', 70);
  assert.match(one.out, /^displayName: +turned\\u\{202e\}backwards\\u\{e0001\}\r$/m);
  assert.match(one.out, /^owner:\r$/m);
  const asJson = await onTerminal('get-agent hostile --json', 70);
  assert.match(asJson.out, /"turned\\u202ebackwards\\udb40\\udc01"/);
  assert.deepEqual(JSON.parse(asJson.out), await api.client.getAgent({ name: 'hostile' }));
  const bar = await onTerminal('list-agents --all --page-size 5 --json > /dev/null', 70);
  assert.match(bar.out, /\[#+\.*\] \d+ of 24/, 'a progress bar while the pages arrive');
});

test('a profile is in a file that only its owner can read, and its key is sent to no other URL', async () => {
  const seen: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end(JSON.stringify({ success: true, data: [] }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const none = { COMMONHALL_URL: '' };
  const saved = await cli(['profile', 'save', 'work', '--url', api.url], { ...none, COMMONHALL_TOKEN: tokens.member });
  assert.equal(saved.out, `work: ${api.url}, with an API key\n`);
  await cli(['profile', 'save', '--url', url], none);
  const [folder] = readdirSync(home);
  const file = join(home, folder!, 'profiles.json');
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(readFileSync(file, 'utf8').includes(tokens.member));
  assert.equal((await cli(['profile', 'list'], none)).out, `work: ${api.url}, with an API key\ndefault: ${url}\n`);

  assert.equal((await cli(['list-my-bounties', '--profile', 'work'], none)).status, 0);
  assert.equal((await cli(['list-my-bounties'], { COMMONHALL_URL: '', COMMONHALL_PROFILE: 'work' })).status, 0);
  assert.equal((await cli(['list-my-bounties'], none)).status, 0); // the default profile
  await cli(['list-my-bounties', '--profile', 'work', '--url', url], none);
  await cli(['list-my-bounties'], { COMMONHALL_URL: url, COMMONHALL_PROFILE: 'work' });
  assert.deepEqual(seen, [undefined, undefined, undefined]);
  await cli(['list-my-bounties'], { COMMONHALL_URL: url, COMMONHALL_TOKEN: 'said' });
  assert.equal(seen.at(-1), 'Bearer said');
  const ofAnother = { COMMONHALL_URL: api.url, COMMONHALL_TOKEN: tokens.member };
  assert.equal((await cli(['list-my-bounties', '--profile', 'default'], ofAnother)).status, 0);
  assert.deepEqual(seen.slice(4), [undefined], 'a key from the environment is not sent to the URL of a profile');
  const unsaid = await cli(['profile', 'save', 'other'], none);
  assert.deepEqual([unsaid.status, unsaid.err], [2, 'Say which URL to save: --url https://api.example.org\n']);
  assert.equal((await cli(['list-agents', '--profile', 'constructor'], none)).status, 2);
  assert.equal((await cli(['profile', 'remove', 'work'], none)).status, 0);
  assert.equal((await cli(['profile', 'remove', 'work'], none)).status, 2);
  other.close();
});

test('completion lists the candidates for the next word, also in bash itself', async () => {
  const words = async (...given: string[]) =>
    (await cli(['__complete', '--', ...given])).out.split('\n').map((line) => line.split('\t')[0]);
  assert.deepEqual((await words('list-coll')).slice(0, 2), ['list-collections', 'list-collection-holders']);
  assert.deepEqual(await words('list-collections', '--sort-by', 'n'), ['name', '']);
  assert.ok((await words('list-collections', '--')).includes('--is-sbt'));
  assert.deepEqual(await words('completion', ''), ['bash', 'zsh', 'fish', '']);
  assert.deepEqual(await words('profile', 's'), ['save', '']);
  const script = `
    commonhall-api() { ${process.execPath} ${main} "$@"; }
    source <(commonhall-api completion bash)
    COMP_WORDS=(commonhall-api list-collections --sort-order ''); COMP_CWORD=3
    _commonhall_api; echo "\${COMPREPLY[@]}"`;
  assert.equal((await run('bash', ['-c', script])).out, 'asc desc\n');
});
