// The checks of strict-json.ts for a value that is already parsed (gap G18): control characters, halves of surrogate
// pairs, numbers that are not exact, too many levels.
import type { Collector } from './problems.ts';
import { codePoint, quoted } from './problems.ts';

const mostLevels = 100;
const control = /[^\P{Cc}\t\n\r]/u;

const textProblem = (text: string): string | null => {
  if (!text.isWellFormed()) return 'has half of a surrogate pair; write the whole character';
  const [found] = control.exec(text) ?? [];
  return found === undefined
    ? null
    : `has the control character ${codePoint(found)}; only tab, newline and carriage return are allowed; remove it`;
};

/** Adds the problems of each column, at most one for each value inside it. */
export const findUnsound = (found: Collector, record: Readonly<Record<string, unknown>>): void => {
  const look = (value: unknown, at: string, level: number): void => {
    if (typeof value === 'string') {
      const problem = textProblem(value);
      if (problem !== null) found.add(at, 'G18', () => problem);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        found.add(at, 'G16', () => `${quoted(value)} is beyond 2^53-1; write a smaller number, or a text`);
    } else if (typeof value === 'object' && value !== null) {
      if (level === mostLevels) {
        found.add(at, 'G18', () => `has more than ${mostLevels} levels; write it with fewer`);
        return;
      }
      for (const [key, inner] of Object.entries(value)) {
        const problem = textProblem(key);
        if (problem !== null) found.add(at, 'G18', () => `the key ${quoted(key)} ${problem}`);
        look(inner, at === '' ? key : at, level + 1);
      }
    }
  };
  look(record, '', 0);
};
