// Data as text for people: a list as a table, a single resource as indented lines. Everything that comes from the API
// is escaped, so that it cannot control the terminal.
import { printable } from '@commonhall/contract/printable';

type Row = Record<string, unknown>;
const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
/** The number of terminal columns that a text takes. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const character of text) width += /\p{Mn}/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
};
const cut = (text: string, most: number): string => {
  if (widthOf(text) <= most) return text;
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > most - 1) break;
    kept += character;
  }
  return `${kept}…`;
};
const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

const scalar = (value: unknown): string => (value === null || value === undefined ? '' : printable(String(value)));
/** A cell shows a scalar or a list of scalars; null for anything deeper, which only --json shows. */
const cell = (value: unknown): string | null => {
  if (Array.isArray(value)) return value.some((one) => typeof one === 'object') ? null : value.map(scalar).join(', ');
  return isObject(value) ? null : scalar(value);
};

const widestCell = 40;
const gap = '  ';

export interface Table {
  header: string;
  line: (row: Row) => string;
  /** The keys that did not fit, or whose values are nested too deeply for a cell. */
  left: string[];
}

/** A table that fits the width. Its columns are chosen by these rows: the keys that have values, in their order. */
export const tableOf = (rows: readonly Row[], width: number): Table => {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns: { key: string; width: number }[] = [];
  let used = 0;
  for (const key of keys) {
    const cells = rows.map((row) => cell(row[key]));
    if (cells.includes(null) || cells.every((text) => text === '')) continue;
    const needed = Math.min(widestCell, Math.max(widthOf(printable(key)), ...cells.map((text) => widthOf(text!))));
    const room = used + (columns.length === 0 ? 0 : gap.length) + needed;
    if (room > width && columns.length > 0) continue;
    columns.push({ key, width: needed });
    used = room;
  }
  const join = (texts: string[]) => texts.join(gap).trimEnd();
  return {
    header: join(columns.map(({ key, width: columnWidth }) => pad(printable(key), columnWidth))),
    line: (row) =>
      join(columns.map(({ key, width: columnWidth }) => pad(cut(cell(row[key]) ?? '', columnWidth), columnWidth))),
    left: keys.filter((key) => !columns.some((column) => column.key === key)).map(printable),
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
