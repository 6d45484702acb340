// Runs the code blocks of README.md as somebody who has only what it asks for: a clone in an empty folder, Git, and the Node
// and npm of the machine. Then the lines for a project of one's own in a second empty folder, and the tools of
// docs/calling.md. Measures each step.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../../test/postgres.ts';
import { root } from './helpers/installed.ts';

const sectionOf = (file: string, heading: string): { language: string; text: string }[] => {
  const [, section = ''] = readFileSync(join(root, file), 'utf8').split(`# ${heading}\n`);
  const blocks = section.split('\n## ')[0]!.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm);
  return [...blocks].map(([, language, text]) => ({ language: language!, text: text!.trim() }));
};
const commandsOf = (file: string, heading: string): string[] =>
  sectionOf(file, heading)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);

/** Without the Node 24 of this checkout: only what the machine has, or another Node whose folder is in OWN_NODE. */
const own = join(root, 'node_modules');
const path = (process.env.PATH ?? '')
  .split(':')
  .filter((place) => place !== dirname(process.execPath) && !place.startsWith(own));
const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, NODE_COMPILE_CACHE: ___, ...outer } = process.env;
const { OWN_NODE } = process.env;
const env: NodeJS.ProcessEnv = {
  ...outer,
  NO_COLOR: '1',
  PATH: [...(OWN_NODE === undefined ? [] : [OWN_NODE]), ...path].join(':'),
};

test('every command of README.md works from an empty folder, with the Node of the machine', {
  timeout: 1_200_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-quick-'));
  /** In a terminal: the command line prints a table there. */
  const run = (command: string, cwd: string): string => {
    const from = Date.now();
    const quoted = `bash -ec '${command.replaceAll("'", `'\\''`)}'`;
    const printed = execFileSync('script', ['-qec', quoted, '/dev/null'], { cwd, env, encoding: 'utf8' });
    t.diagnostic(`${Date.now() - from} ms: ${command.split('\n')[0]}`);
    return printed.replaceAll('\r', '').trim();
  };
  t.diagnostic(run('node --version', folder));
  const began = Date.now();
  const [clone = '', install = '', start = ''] = commandsOf('README.md', 'Try it').join('\n').split('\n');
  run(clone.replace('<this repository>', `file://${root}`), folder);
  const checkout = join(folder, 'commonhall');
  run(install, checkout);
  const port = String(await freePort());
  const demo = spawn('bash', ['-c', `${start} -- --port ${port} --pictures-port 0`], {
    cwd: checkout,
    env,
    detached: true,
  });
  t.after(() => process.kill(-demo.pid!, 'SIGINT'));
  let said = '';
  await new Promise<void>((resolve) => {
    demo.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (/Documentation +http\S+\n/.test(said)) resolve();
    });
  });
  const local = (text: string) => text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  for (const [, address] of said.matchAll(/^ {2}\w.* (http:\S+)$/gm)) assert.equal((await fetch(address!)).status, 200);
  t.diagnostic(`${Date.now() - began} ms from nothing to the demo`);

  env.COMMONHALL_URL = local('http://127.0.0.1:8080'); // the example has the port of the README
  let [printed, shown] = ['', 0];
  for (const { language, text } of sectionOf('README.md', 'Call it')) {
    if (language === 'sh' && !text.startsWith('npm install')) printed = run(local(text), checkout);
    if (language !== 'json' && language !== 'text') continue;
    assert.ok(printed.includes(text), `${printed}\nis not\n${text}`);
    shown += 1;
  }
  assert.equal(shown, 3);

  run('npm run release -- --dry-run', checkout);
  const lines = commandsOf('README.md', 'Call it')
    .find((text) => text.startsWith('npm install'))!
    .split('\n');
  assert.equal(lines.length, 2);
  for (const [n, line] of lines.entries()) {
    const project = join(folder, `own-${n}`);
    mkdirSync(project);
    run(line.replaceAll('/path/to/commonhall', checkout), project);
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      dependencies: object;
    };
    assert.deepEqual(
      Object.keys(dependencies),
      n === 0 ? ['@commonhall/client'] : ['@commonhall/cli', '@commonhall/client', '@commonhall/contract'],
    );
    if (n === 0) {
      writeFileSync(join(project, 'first.mjs'), readFileSync(join(root, 'examples/callers/first.mts')));
      assert.match(run('node first.mjs', project), /^40 \[/);
    } else assert.match(run('npx commonhall-api list-launch-weeks --page-size 3', project), /page 1 of 3, 8 in all/);
  }

  const [tools] = sectionOf('docs/calling.md', 'Tools for AI agents').filter(({ language }) => language === 'js');
  const project = join(folder, 'own-0');
  for (const command of commandsOf('docs/calling.md', 'Tools for AI agents')) run(command, project);
  writeFileSync(join(project, 'tools.mjs'), local(tools!.text));
  assert.match(run('node tools.mjs', project), /Write a Ruby client/);
});
