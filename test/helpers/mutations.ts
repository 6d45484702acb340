// Mutation testing, for test/guards.ts and test/plants.ts: in a copy of the sources one text is replaced at a time, and
// the tests that are named with it must fail.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface Mutation {
  /** What is lost, or what is wrong then. */
  what: string;
  /** Below packages/server. */
  file: string;
  /** The source text that is replaced; it occurs exactly once in the file. */
  text: string;
  instead: string;
  /** Test files, below packages/server/test, that must fail. */
  tests: string[];
}

const root = resolve(import.meta.dirname, '../..');

/** The problem with a mutation's text, or null: it must occur in its file exactly once. */
export const misplaced = ({ file, text }: Mutation, within = root): string | null => {
  const count = readFileSync(join(within, 'packages/server', file), 'utf8').split(text).length - 1;
  return count === 1 ? null : `${file}: ${JSON.stringify(text)} occurs ${count} times`;
};

/** A copy of the sources, in which a text is replaced while its tests run. */
const openCopy = () => {
  const copy = mkdtempSync(join(tmpdir(), 'commonhall-mutations-'));
  const wanted = (path: string) => !/(^|\/)(node_modules|\.git)$/.test(path);
  cpSync(root, copy, { recursive: true, filter: wanted });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // A test may wait without limit then: that is noticed too.
  const env = { TEST_LIMIT_MS: String(10 * 60_000), ...process.env };
  const run = (args: readonly string[]) =>
    new Promise<{ failed: boolean; said: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: copy, env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
        resolve({ failed: error !== null, said: stdout + stderr }),
      );
    });
  /** The first error that the tests print; null when all pass. */
  const complaint = async (tests: readonly string[]): Promise<string | null> => {
    const files = tests.map((name) => `packages/server/test/${name}{,.system}.test.ts`);
    const { failed, said } = await run(['test/run.ts', '--stop', ...files]);
    return failed ? (/^ *\w*Error\b.*/m.exec(said)?.[0].trim() ?? said.trim()).slice(0, 200) : null;
  };
  return {
    complaint,
    complaintAbout: async (mutation: Mutation): Promise<string | null> => {
      const problem = misplaced(mutation, copy);
      if (problem !== null) throw new Error(problem);
      const file = join(copy, 'packages/server', mutation.file);
      const original = readFileSync(file, 'utf8');
      writeFileSync(
        file,
        original.replace(mutation.text, () => mutation.instead),
      );
      const noticed = await complaint(mutation.tests);
      writeFileSync(file, original);
      return noticed;
    },
    remove: () => rmSync(copy, { recursive: true }),
  };
};

/** Which numbers of a list the arguments name: all of it, from the first to the last, or three or more one by one. */
const takenOf = (all: readonly Mutation[]): [number, Mutation][] => {
  const numbers = process.argv.slice(2).map(Number);
  const [first = 1, last = all.length] = numbers;
  const isTaken = (n: number) => (numbers.length > 2 ? numbers.includes(n) : n >= first && n <= last);
  return all.map((one, index): [number, Mutation] => [index + 1, one]).filter(([n]) => isTaken(n));
};

/** Makes the mutations that the arguments name, `atOnce` at a time. Returns whether the tests have noticed all. */
export const noticedEach = async (all: readonly Mutation[], atOnce: number): Promise<boolean> => {
  const taken = takenOf(all);
  const left = [...taken];
  let unnoticed = 0;
  const work = async () => {
    const copy = openCopy();
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [n, mutation] = next;
      const noticed = await copy.complaintAbout(mutation);
      if (noticed === null) unnoticed += 1;
      const result = noticed === null ? 'NOT NOTICED' : 'noticed';
      console.log(`${n}/${all.length} ${result}: ${mutation.what} (${mutation.file}) ${noticed ?? ''}`);
    }
    copy.remove();
  };
  const whole = openCopy();
  const failure = await whole.complaint([...new Set(taken.flatMap(([, { tests }]) => tests))]);
  whole.remove();
  if (failure !== null) throw new Error(`the tests fail before anything is replaced: ${failure}`);
  await Promise.all(Array.from({ length: atOnce }, work));
  console.log(`${taken.length} replaced, ${unnoticed} not noticed`);
  return unnoticed === 0;
};
