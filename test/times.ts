// npm test -- --times: what each file costs, and what all files pay before their first test.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { FileTimes } from './each-file.ts';

const sum = (all: FileTimes[], of: keyof Omit<FileTimes, 'file'>) => all.reduce((total, times) => total + times[of], 0);
const columns = ['wall', 'cpu', 'children', 'wallBefore', 'cpuBefore'] as const;
const line = (name: string, seconds: number[]) =>
  `${seconds.map((each) => each.toFixed(1).padStart(9)).join('')}  ${name}`;

export const printTimes = (path: string): void => {
  const all = existsSync(path)
    ? readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as FileTimes)
        .sort((a, b) => b.wall - a.wall)
    : [];
  console.log('seconds of each file; the last two columns are those until its first test');
  console.log(`${['wall', 'CPU', 'children', 'wall', 'CPU'].map((name) => name.padStart(9)).join('')}  file`);
  for (const times of all)
    console.log(
      line(
        relative('.', times.file),
        columns.map((column) => times[column]),
      ),
    );
  console.log(
    line(
      'all',
      columns.map((column) => sum(all, column)),
    ),
  );
};
