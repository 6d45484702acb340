// The completion in zsh and fish themselves, which are installed for this test.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needPrograms } from '../../../test/debian.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commonhall-completion-'));
symlinkSync(main, join(folder, 'commonhall-api'));
symlinkSync(process.execPath, join(folder, 'node'));
const env = { PATH: `${folder}:${process.env.PATH}`, HOME: folder };

needPrograms({ zsh: 'zsh', fish: 'fish' });

test('zsh lists the candidates for the next word with their descriptions', () => {
  const script = join(folder, 'complete.zsh');
  // zsh's _describe draws the menu; this replacement prints its arguments.
  writeFileSync(
    script,
    `autoload -Uz compinit; compinit -u -d ${folder}/dump
    source <(commonhall-api completion zsh)
    _describe() { print -l -- "\${(@P)2}" }
    words=(commonhall-api list-collections --sort-order ''); CURRENT=4; _commonhall_api
    words=(commonhall-api get-agent-); CURRENT=2; _commonhall_api`,
  );
  assert.equal(
    execFileSync('zsh', ['-f', script], { env, encoding: 'utf8' }),
    'asc:\ndesc:\nget-agent-metadata:The registration-file metadata of one agent\n',
  );
});

test('fish completes commands, options and choices', () => {
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', `commonhall-api completion fish | source; complete -C "${line}"`], {
      env,
      encoding: 'utf8',
    });
  assert.equal(complete('commonhall-api list-collections --sort-order '), 'asc\ndesc\n');
  assert.match(complete('commonhall-api get-agent-'), /^get-agent-metadata\tThe registration-file/);
  assert.match(complete('commonhall-api list-collections --is'), /^--is-sbt\t/);
});
