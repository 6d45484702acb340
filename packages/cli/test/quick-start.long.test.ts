// Runs the code blocks of the README's section "Calling" in an empty folder against the running demo, and measures each
// step. The packages come from a dry run of the release, since they are not on npm yet.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { releaseDryRun, root } from './helpers/installed.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const [, calling = ''] = /^## Calling\n([\s\S]*?)^## /m.exec(readme) ?? [];
const guide = readFileSync(join(root, 'docs/calling.md'), 'utf8');
const [, tools = ''] = /^### Tools for AI agents\n([\s\S]*?)^## /m.exec(guide) ?? [];
const blocks = [...(calling + tools).matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
  language,
  text: text!,
}));

test('the quick start works from an empty folder, with curl, TypeScript, the command line and MCP', {
  timeout: 600_000,
}, async (t) => {
  const demo = spawn(process.execPath, ['demo/run.ts', '--port', '0'], { cwd: root });
  t.after(() => demo.kill('SIGINT'));
  let said = '';
  const url = await new Promise<string>((resolve) => {
    demo.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Commonhall is at (http:\S+)\. /.exec(said);
      if (found !== null) resolve(found[1]!);
    });
  });
  const out = await releaseDryRun();
  const folder = mkdtempSync(join(tmpdir(), 'commonhall-quick-'));
  const env = { ...process.env, NO_COLOR: '1', PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
  const tarball = (name: string) => `${out}/${globSync(`commonhall-${name}-*.tgz`, { cwd: out })[0]}`;
  const began = Date.now();
  const answers: string[] = [];
  let shown = 0;
  assert.ok(blocks.length >= 6, `${blocks.length} blocks`);
  for (const { language, text } of blocks) {
    const from = Date.now();
    const real = text.replaceAll('http://127.0.0.1:8080', url);
    const file = /^\/\/ (\S+\.(?:mts|mjs))/.exec(real)?.[1];
    if (file !== undefined) writeFileSync(join(folder, file), real);
    const command =
      file !== undefined
        ? `node ${file}`
        : real
            .replace('@commonhall/client', tarball('client'))
            .replace('@commonhall/cli', `${tarball('contract')} ${tarball('cli')}`);
    if (language === 'json' || language === 'text') {
      // What the README shows is what the command before it has printed.
      assert.ok(answers.at(-1)!.includes(text.trim()), `${answers.at(-1)} is not ${text}`);
      shown += 1;
      continue;
    }
    // In a terminal: the command line prints a table there.
    const printed = execFileSync('script', ['-qec', `bash -ec '${command.replaceAll("'", `'\\''`)}'`, '/dev/null'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).replaceAll('\r', '');
    if (!/npm install [^\n]*$/.test(command.trim())) answers.push(printed);
    t.diagnostic(`${Date.now() - from} ms: ${language} ${text.trim().split('\n')[0]}`);
  }
  t.diagnostic(`${Date.now() - began} ms in all`);
  assert.deepEqual([answers.length, shown], [4, 3]);
  for (const answer of answers) assert.match(answer, /Write a Ruby client|launchCount|"items"/, answer);
  assert.ok(Date.now() - began < 120_000);
});
