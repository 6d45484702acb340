// Counts as bar charts: a chart for each group, a line for each value.
import { cut, number, pad, scalar, widthOf } from './text.ts';

interface Counted {
  value: unknown;
  count: number;
  split?: Counted[];
}
export interface Counts {
  total: number;
  groups: { by: string; values: Counted[] }[];
}
export const isCounts = (data: unknown): data is Counts => Array.isArray((data as Counts | null)?.groups);

const nameOf = (value: unknown): string => (value === null ? '(none)' : scalar(value));
const longestName = 30;
const longestBar = 40;

/** The lines of a group. A bar is as long as its part of the largest count; only 0 has none. */
const chart = (values: readonly Counted[], width: number): string[] => {
  const names = values.map(({ value }) => cut(nameOf(value), longestName));
  const numbers = values.map(({ count }) => number(count));
  const [name, digits] = [names, numbers].map((texts) => Math.max(0, ...texts.map(widthOf)));
  const room = Math.max(5, Math.min(longestBar, width - name! - digits! - 4));
  const largest = Math.max(1, ...values.map(({ count }) => count));
  return values.map(({ count, split }, n) => {
    const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / largest) * room)));
    const parts = (split ?? []).map((part) => `${nameOf(part.value)} ${number(part.count)}`).join(', ');
    const line = `${pad(names[n]!, name!)}  ${numbers[n]!.padStart(digits!)}  ${parts === '' ? bar : `${pad(bar, room)}  ${parts}`}`;
    return line.trimEnd();
  });
};

export const chartsOf = ({ total, groups }: Counts, width: number): string[] => [
  ...groups.flatMap(({ by, values }) => [scalar(by), ...chart(values, width), '']),
  `${number(total)} in all`,
];
