// Follows a guide of CONTRIBUTING.md in a copy of the repository: changes the files that it names, and runs commands.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The files that the numbered steps under a heading name. */
export const filesOf = (heading: string, noun: string): string[] => {
  const [, section = ''] = readFileSync(`${root}CONTRIBUTING.md`, 'utf8').split(`## ${heading}\n`);
  const numbered = section.split('\n## ')[0]!.match(/^\d\. `([^`]+)`/gm) ?? [];
  return numbered.map((line) => line.replace(/^\d\. `([^`]+)`$/, '$1').replace('<noun>', noun));
};

/** For each file, what is inserted before which text. */
export type Changes = Record<string, [before: string, inserted: string][]>;

/** A copy of the repository with the changes made. `run` runs Node there, and fails with what the command printed. */
export const changedCopy = (changes: Changes, say: (line: string) => void) => {
  const copy = mkdtempSync(join(tmpdir(), 'commonhall-copy-'));
  const wanted = (path: string) => !/(^|\/)(node_modules|\.git)$/.test(path);
  cpSync(root, copy, { recursive: true, filter: wanted });
  // The copy uses its own @commonhall packages and shares all others.
  mkdirSync(join(copy, 'node_modules/@commonhall'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@commonhall') symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(root, 'packages')))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@commonhall', name));
  for (const [file, inserted] of Object.entries(changes)) {
    let text = readFileSync(join(copy, file), 'utf8');
    for (const [before, more] of inserted) {
      assert.equal(text.split(before).length, 2, `${file} must contain exactly once: ${before}`);
      text = text.replace(before, () => more + before);
    }
    writeFileSync(join(copy, file), text);
  }
  const start = (args: readonly string[], env: Record<string, string> = {}) => {
    const { NODE_TEST_CONTEXT: _, COMMONHALL_TEST_RUN: __, COMMONHALL_TEST_ADMIN_URL: ___, ...outer } = process.env;
    return spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', env: { ...outer, ...env } });
  };
  return {
    run: (what: string, args: readonly string[], env?: Record<string, string>): void => {
      const began = Date.now();
      const { status, stdout, stderr } = start(args, env);
      say(`${what}: ${Math.round((Date.now() - began) / 1000)} s`);
      assert.equal(status, 0, `${what}\n${(stdout + stderr).slice(-3000)}`);
    },
    /** What a command prints that must fail. */
    failing: (args: readonly string[], env?: Record<string, string>): string => {
      const { status, stdout, stderr } = start(args, env);
      assert.equal(status, 1);
      return stdout + stderr;
    },
  };
};
