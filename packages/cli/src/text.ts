// Data as text for people: a list as a table, a single resource as indented lines. Everything that comes from the API
// is escaped, so that it cannot control the terminal.
import { printable } from '@commonhall/contract/printable';
import { isKey, valueAt } from './columns.ts';

type Row = Record<string, unknown>;
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
/** The number of terminal columns that a text takes. */
export const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += /\p{Mn}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
};
export const cut = (text: string, most: number): string => {
  if (widthOf(text) <= most) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
};
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

export const scalar = (value: unknown): string =>
  value === null || value === undefined ? '' : printable(String(value));
/** The value comes from the server and need not be a number. */
export const number = (value: number): string => Number(value).toLocaleString('en');
/** A cell shows a scalar or a list of scalars; null for anything deeper, which only --json shows. */
const cell = (value: unknown): string | null => {
  if (Array.isArray(value)) return value.some((one) => typeof one === 'object') ? null : value.map(scalar).join(', ');
  return isObject(value) ? null : scalar(value);
};

const widestCell = 40;
const narrowestCell = 10;
const gap = '  ';

export interface Table {
  header: string;
  line: (row: Row) => string;
  /** The keys that are not shown: they did not fit, or their values are nested too deeply for a cell. */
  left: string[];
}
interface Column {
  name: string;
  width: number;
  /** Whether its cells may be cut. Keys, numbers and times are shown whole. */
  isText: boolean;
}
const columnOf = (name: string, cells: readonly string[], isFirst: boolean): Column => {
  const widest = Math.max(widthOf(printable(name)), ...cells.map(widthOf));
  const isText =
    !isFirst && !isKey(name) && cells.some((text) => !/^(-?[\d.]*|true|false|\d{4}-\d\d-\d\dT\S+Z)$/.test(text));
  return { name, width: isText ? Math.min(widestCell, widest) : widest, isText };
};
const widthOfAll = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, gap.length * Math.max(0, columns.length - 1));

/** Makes columns fit: the widest text is cut first; then, unless all were asked for, the last column goes. */
const fit = (columns: Column[], width: number, isAsked: boolean): void => {
  while (widthOfAll(columns) > width && columns.length > 1) {
    const [widest] = columns.filter((one) => one.isText && one.width > narrowestCell).sort((a, b) => b.width - a.width);
    if (widest !== undefined) widest.width -= 1;
    else if (isAsked) return;
    else columns.pop();
  }
};

/**
 * A table that fits the width.
 * @param wanted the columns to show, the key of a row first; null: the keys that have values and fit, in their order.
 */
export const tableOf = (
  rows: readonly Row[],
  width: number,
  wanted: readonly string[] | null = null,
  isAsked = false,
): Table => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns: Column[] = [];
  for (const name of wanted ?? keys) {
    const cells = rows.map((row) => cell(valueAt(row, name)) ?? (isAsked ? JSON.stringify(valueAt(row, name)) : null));
    if (cells.includes(null) || (!isAsked && cells.every((text) => text === ''))) continue;
    const column = columnOf(name, cells as string[], !isAsked && name === wanted?.[0]);
    if (wanted === null && columns.length > 0 && widthOfAll([...columns, column]) > width) continue;
    columns.push(column);
  }
  fit(columns, width, isAsked);
  const join = (texts: string[]) => texts.join(gap).trimEnd();
  const shown = new Set(columns.map(({ name }) => name));
  const textOf = (row: Row, name: string) => cell(valueAt(row, name)) ?? printable(JSON.stringify(valueAt(row, name)));
  return {
    header: join(columns.map((column) => pad(cut(printable(column.name), column.width), column.width))),
    // A later page may have a longer key: it is still not cut.
    line: (row) =>
      join(
        columns.map(({ name, width: columnWidth, isText }) =>
          pad(isText ? cut(textOf(row, name), columnWidth) : textOf(row, name), columnWidth),
        ),
      ),
    left: keys.filter((key) => !shown.has(key)).map(printable),
  };
};

/** A single resource as indented lines, complete. */
export const linesOf = (value: unknown, indent = ''): string[] => {
  if (Array.isArray(value))
    return value.flatMap((one) => {
      const [first = '', ...rest] = linesOf(one, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  if (!isObject(value)) return [indent + scalar(value)];
  const widest = Math.max(0, ...Object.keys(value).map((key) => key.length));
  return Object.entries(value).flatMap(([key, member]) => {
    const short = cell(member);
    if (typeof member === 'string' && member.includes('\n'))
      return [
        `${indent}${printable(key)}:`,
        ...member.split(/\r?\n/).map((line) => `${indent}  ${printable(line)}`.trimEnd()),
      ];
    if (short !== null) return [`${indent}${`${printable(key)}:`.padEnd(widest + 1)} ${short}`.trimEnd()];
    return [`${indent}${printable(key)}:`, ...linesOf(member, `${indent}  `)];
  });
};
