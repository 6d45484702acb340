// The commands of README.md and of examples/platform/README.md, and the curl commands of docs/calling.md and docs/operating.md, run as they are printed against
// a server with the sample data. Where a page shows a response, the server returns that response.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoKeys, demoPictures } from '@commonhall/sample/cast';
import { loadSample, sampleSettings } from '../../../demo/load.ts';
import { patient } from '../../../test/helpers/process.ts';
import { freePort, startPostgres } from '../../../test/postgres.ts';
import { serve } from '../src/commands/serve.ts';
import { readConfig } from '../src/config.ts';
import { openLog } from '../src/log.ts';

const stops: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const stop of stops.reverse()) await stop();
});
const postgres = await startPostgres({ shared_buffers: '64MB' });
stops.push(postgres.stop);
await loadSample(postgres.url, { scale: 'small', pictures: demoPictures }, () => {});
const config = readConfig({ ...sampleSettings(postgres.url), ...patient, PORT: '0', LOG_LEVEL: 'error' });
const server = await serve(config, openLog(config.LOG_LEVEL, process.stderr));
stops.push(server.stop);

const blocksOf = (file: string): string[] =>
  [...readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(
    ([, text]) => text!,
  );
const run = async (command: string): Promise<string> => {
  const text = command.replaceAll('http://127.0.0.1:8080', server.url);
  const env = { ...process.env, KEY: demoKeys.member.key };
  return (await promisify(execFile)('bash', ['-euc', text], { env })).stdout;
};

test('the curl commands of docs/calling.md, changes.md and operating.md succeed, and return what the page shows', async () => {
  const blocks = ['docs/calling.md', 'docs/changes.md', 'docs/operating.md']
    .flatMap(blocksOf)
    .filter((text) => /^(\$ )?(tag=.*)?curl .*http:\/\/127\.0\.0\.1:8080/m.test(text));
  assert.ok(blocks.length >= 6, String(blocks.length));
  for (const block of blocks) {
    const [, command, shown] = /^\$ (.*)\n([\s\S]*)$/.exec(block) ?? [];
    const printed = await run(command ?? block);
    if (shown === undefined) assert.doesNotMatch(printed, /"success":false/, block);
    // The version and the times of /status are those of the page.
    else if (block.includes('/status'))
      assert.deepEqual(Object.keys(JSON.parse(printed).data), Object.keys(JSON.parse(shown).data), block);
    else assert.equal(printed.trim(), shown.trim(), block);
  }
});

test('the curl command of README.md returns what the README shows', async () => {
  const blocks = blocksOf('README.md');
  const index = blocks.findIndex((text) => text.startsWith('curl '));
  assert.equal(await run(blocks[index]!), blocks[index + 1]!.trim());
});

test('the commands of README.md make an empty database and serve it', async () => {
  const block = blocksOf('README.md').find((text) => text.startsWith('psql '));
  const { port } = new URL(postgres.url);
  const commands = block!
    .replaceAll('-h 127.0.0.1 ', `-h 127.0.0.1 -p ${port} `)
    .replaceAll('127.0.0.1:5432', `127.0.0.1:${port}`);
  const shell = spawn('bash', ['-euc', commands], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    env: { ...process.env, PORT: '0', METRICS_PORT: '0', DRAIN_MS: '0' },
    detached: true, // with its programs, it gets Ctrl-C below
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [printed, isInterrupted] = ['', false];
  for await (const text of shell.stdout.setEncoding('utf8')) {
    printed += text;
    if (isInterrupted || !printed.includes('"msg":"ready"')) continue;
    isInterrupted = true;
    process.kill(-(shell.pid ?? 0), 'SIGINT');
  }
  assert.match(printed, /"msg":"ready"[\s\S]*"msg":"stopped"/);
});

test('the commands of examples/platform/README.md lead from own tables to a visible row, and hide it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-example-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { port } = new URL(postgres.url);
  const env = { ...process.env, PORT: String(await freePort()), METRICS_PORT: '0', DRAIN_MS: '0' };
  const expected = ['"title":"A tide table"', '"title":"A table of tides"', 'HTTP/1.1 404'];
  let waits = 0;
  const blocks = blocksOf('examples/platform/README.md').filter((text) => /^(export|psql|npm|node_modules)/.test(text));
  const script = blocks
    .slice(0, 6) // those of "Trying it"
    .join('')
    .replaceAll('create database commonhall', 'create database example')
    .replaceAll('5432/commonhall', '5432/example')
    .replaceAll('-h 127.0.0.1 ', `-h 127.0.0.1 -p ${port} `)
    .replaceAll('127.0.0.1:5432', `127.0.0.1:${port}`)
    .replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${env.PORT}`)
    .replaceAll('load load', `load ${folder}/load`)
    .replaceAll(/(follow|serve)\.log/g, `${folder}/$1.log`)
    .replaceAll(/^sleep \d\n(curl .*)$/gm, (_, curl) => `until_shown '${expected[waits++]}' ${curl}`);
  // On a slow machine the seconds of the page are not enough.
  const start = `trap 'kill $(jobs -p)' EXIT
    until_shown() {
      for _ in {1..300}; do
        now=$("\${@:2}" || true)
        case $now in *"$1"*) break ;; esac
        sleep 0.3
      done
      echo "$now"
    }`;
  const { stdout } = await promisify(execFile)('bash', ['-euc', `${start}\n${script}`], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    env,
  });
  assert.match(stdout, /"title":"A tide table"[\s\S]*"title":"A table of tides"[\s\S]*HTTP\/1.1 404/);
});
