// Installs the packages of a release in an empty folder, as a user would, with a program that uses each of them.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { version } from '@commonhall/contract/version';

const run = promisify(execFile);
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Puts this Node first in PATH: the npm of another Node may resolve other versions. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

/** Runs a program; if it fails, the error contains its output. */
const output = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  try {
    return (await run(command, args, { cwd, env, maxBuffer: 1e8 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`.slice(0, 5000));
  }
};
export const runNode = (cwd: string, ...args: string[]): Promise<string> => output(process.execPath, args, cwd);
export const npm = (cwd: string, ...args: string[]): Promise<string> => output('npm', args, cwd);

/** Builds a release in a new folder. */
export const releaseDryRun = async (): Promise<string> => {
  const out = mkdtempSync(join(tmpdir(), 'commonhall-release-'));
  await runNode(root, 'release/run.ts', '--dry-run', '--out', out);
  return out;
};

/** Compiles with strict settings, including library types (no skipLibCheck) and noUncheckedIndexedAccess. */
export const compileWith = (typescript: string, folder: string, ...args: string[]): Promise<string> =>
  runNode(
    folder,
    join(typescript, 'bin/tsc'),
    ...['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'],
    ...['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'nodenext'],
    ...args,
  );

const program = `
import { ApiError, createClient } from '@commonhall/client';
import type { Agent, Data, Item } from '@commonhall/client';

const hall = createClient({ baseUrl: 'http://127.0.0.1:1' });
export const first = async (): Promise<string | undefined> => (await hall.listAgents({ pageSize: 5 })).items[0]?.displayName;
export const tiers: () => Promise<Data<'getScoreTiers'>> = () => hall.getScoreTiers();
export const name = ({ name }: Item<'listAgents'>): string => name;
export const status = (agent: Agent): boolean => agent.status === 'PUBLISHED' || agent.status === 'SOMETHING_NEW';
export const remedy = (error: unknown): string => (error instanceof ApiError ? error.remedy : '');
// @ts-expect-error a misspelt argument
export const wrong = () => hall.getAgent({ nam: 'x' });
// @ts-expect-error a key that the result does not have
export const missing = async () => (await hall.getAgent({ name: 'x' })).nam;
// @ts-expect-error the first item may not be there
export const unsure = async () => (await hall.listAgents()).items[0].name;
`;
const use = `
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createClient } from '@commonhall/client';
import { operations } from '@commonhall/contract';
import { tools } from '@commonhall/contract/tools';

const [url] = process.argv.slice(2);
const expected = await createClient({ baseUrl: url }).getScoreTiers();
assert.ok(Object.keys(expected).length > 0);
assert.equal(tools.length, Object.keys(operations).length);
const cli = (...args) => execFileSync(process.execPath, ['node_modules/@commonhall/cli/dist/main.js', ...args], {
  encoding: 'utf8', env: { COMMONHALL_URL: url }, stdio: ['pipe', 'pipe', 'inherit'],
  input: [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
    ...[{ limit: 1 }, { page: '1' }].map((args, n) => ({ id: n + 2, method: 'tools/call', params: { name: 'listAgents', arguments: args } })),
    { id: 4, method: 'tools/call', params: { name: 'getAgent', arguments: { name: '..' } } },
  ].map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n').join(''),
});
assert.deepEqual(JSON.parse(cli('get-score-tiers')), expected);
const answers = cli('mcp').trim().split('\\n').map((line) => JSON.parse(line));
assert.equal(answers.find(({ id }) => id === 1).result.serverInfo.name, 'commonhall');
for (const id of [2, 3, 4]) {
  const { result } = answers.find((answer) => answer.id === id);
  assert.deepEqual([result.isError, result.structuredContent.code], [true, 'VALIDATION_ERROR']);
}
assert.throws(() => cli('get-agent', '..'), { status: 2 });
console.log('all good');
`;

/** A new folder with the packages for API clients, and programs that use them. */
export const emptyProject = async (out: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-empty-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  const tarballs = ['contract', 'client', 'cli'].map((name) => join(out, `commonhall-${name}-${version}.tgz`));
  await npm(folder, 'install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs);
  writeFileSync(join(folder, 'use.ts'), program);
  writeFileSync(join(folder, 'use.js'), use);
  return folder;
};

/** The output of the program that uses the installed packages, run with this Node. */
export const uses = async (folder: string, node: string, url: string): Promise<string> =>
  (await output(node, ['use.js', url], folder)).trim();
