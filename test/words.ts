// node test/words.ts, a part of `npm run lint`: no private word in docs, comments, messages and names. The list has words that
// once made this project hard to read, with what to write instead. Ordinary words are not on it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

const words: readonly [pattern: string, instead: string][] = [
  ['(is|are|be|been|was|were|gets?) told', 'is reported, is rejected'],
  ['tells (nothing|a caller|the caller|an operator|somebody)', 'reveals, reports'],
  ['mend(s|ed|ing)?', 'repair, fix'],
  ['anew', 'again'],
  ['ends? with (status )?\\d', 'exits with status'],
  ['wears? the envelope', 'has the envelope'],
  ['keeps? itself', 'is maintained by triggers'],
  ['kept (values?|columns?|tables?|totals?|counts?)', 'maintained'],
  ['behind the (end|last)', 'past the end'],
  ['for ever', 'forever, without limit'],
  ['blanks?(?! (lines?|issues))', 'space'],
  ['small letters', 'lower case'],
  ['(small|medium|large|demo|random) worlds?', 'data set, sample data'],
  ['verdicts?', 'result, decision'],
  ['whoever', 'name the caller, the process or the role'],
  ['out of reach', 'unreachable'],
  ['reckoned', 'estimated'],
  ['brings? about', 'causes'],
  ['(held|holds?) against', 'compared with'],
  ['of late', 'recently'],
  ['in vain', 'without effect'],
  ['is said of', 'is reported about'],
  ['(is|are|be|was) away', 'is down, is unavailable'],
  ['(is|are|not|never) believed', 'is trusted'],
  ['looks? whether', 'checks whether'],
  ['(Did|Does|Do|Were|Had) (it|that|this|they|one|he|she) [^.?]*, then', 'If …, …'],
  ['[Ww]hat says nothing', 'name what is silent'],
  ['stands? (in (a|the)|under the|behind the|there)', 'is in, is under'],
  ['letter case counts', 'is case-sensitive'],
];

/** Fiction, copies of others, generated files, and this list. */
const exempt =
  /^(packages\/sample\/src\/text\/|package-lock\.json|packages\/contract\/examples\.json|packages\/contract\/test\/generators\/package-lock\.json|bench\/results\/|LICENSE|test\/words\.ts|.*\.(png|svg))/;

/** The problems of one text, each as line:column and what to write. */
export const privateWords = (text: string): string[] =>
  words.flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, 'g'))].map(({ 0: found, index }) => {
      const before = text.slice(0, index).split('\n');
      return `${before.length}:${before.at(-1)!.length + 1} "${found.replace(/\s+/g, ' ')}": write ${instead}`;
    }),
  );

if (import.meta.main) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && !exempt.test(file));
  const problems = files.flatMap((file) => {
    try {
      return privateWords(readFileSync(root + file, 'utf8')).map((problem) => `${file}:${problem}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // deleted and not committed yet
      throw error;
    }
  });
  for (const problem of problems) console.error(problem);
  console.log(`${files.length} files, ${problems.length} private words`);
  if (problems.length > 0) process.exitCode = 1;
}
