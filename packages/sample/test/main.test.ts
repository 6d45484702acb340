// npm run sample as a process: the files that it writes, and its messages about wrong arguments.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { tableNames } from '../src/world.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commonhall-sample-'));
after(() => rmSync(folder, { recursive: true }));

const run = async (...args: string[]): Promise<{ code: number | null; output: string; errors: string }> => {
  const child = spawn(process.execPath, [main, ...args]);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output, errors };
};

test('there is one file per table, with the same bytes each time, compressed or not', async () => {
  const [one, two, packed] = [join(folder, 'one'), join(folder, 'two'), join(folder, 'packed')];
  const first = await run('--out', one);
  assert.deepEqual([first.code, first.errors], [0, '']);
  assert.match(first.output, /^users: 500 records$/m);
  assert.equal((await run('--out', two, '--seed', '42', '--scale', 'small')).code, 0);
  assert.equal((await run('--out', packed, '--gzip')).code, 0);
  assert.deepEqual(readdirSync(one).toSorted(), tableNames.map((name) => `${name}.ndjson`).toSorted());
  for (const file of readdirSync(one)) {
    const bytes = readFileSync(join(one, file));
    assert.ok(readFileSync(join(two, file)).equals(bytes), file);
    assert.ok(gunzipSync(readFileSync(join(packed, `${file}.gz`))).equals(bytes), file);
  }
});

test('--seed, --now and --pictures have an effect', async () => {
  const out = join(folder, 'other');
  const given = ['--seed', '7', '--now', '2030-05-06T07:08:09Z', '--pictures', 'https://img.example.org/p/'];
  assert.equal((await run('--out', out, ...given)).code, 0);
  const agents = readFileSync(join(out, 'agents.ndjson'), 'utf8');
  assert.match(agents, /"last_seen_at":"2030-05-06T07:07:09\.000Z"/);
  assert.match(agents, /"https:\/\/img\.example\.org\/p\/agents\/64\/librarian\.svg"/);
  assert.ok(!agents.includes('127.0.0.1'));
});

test('wrong arguments exit with status 1 and a message that says what is allowed', async () => {
  const cases: [args: string[], message: RegExp][] = [
    [[], /--out is missing; give the folder/],
    [['--out', folder, '--scale', 'huge'], /--scale: "huge" is not one of small, medium, large/],
    [['--out', folder, '--seed', '-1'], /--seed/],
    [['--out', folder, '--seed=1.5'], /--seed: "1\.5" is not a whole number from 0 to 4294967295/],
    [['--out', folder, '--now', 'yesterday'], /--now: "yesterday" is not a timestamp like 2026/],
    [['--out', folder, '--now', '2026-02-31T00:00:00Z'], /--now: "2026-02-31T00:00:00Z" is not a timestamp/],
    [['--out', folder, '--pictures', 'ftp://x'], /--pictures: "ftp:\/\/x" is not a URL like http/],
    [['--out', folder, '--colour', 'red'], /--colour/],
    [['--out', folder, '--scale', 'constructor', '--seed', 'x'], /--seed: "x".*\n--scale: "constructor"/],
  ];
  for (const [args, message] of cases) {
    const { code, output, errors } = await run(...args);
    assert.deepEqual([code, output], [1, ''], args.join(' '));
    assert.match(errors, message);
    assert.match(errors, /npm run sample -- --out <folder>/);
  }
});
