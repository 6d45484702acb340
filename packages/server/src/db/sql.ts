// SQL with values beside it: sql`select … ${value}`. A nested sql`…` is spliced in, anything else becomes a parameter,
// so no text of a caller can ever become SQL.

import type { Value } from './statement.ts';

export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly (Value | Sql)[];
}

const isSql = (value: Value | Sql): value is Sql => typeof value === 'object' && value !== null && 'strings' in value;

export const sql = (strings: TemplateStringsArray, ...values: (Value | Sql)[]): Sql => ({ strings, values });

export const joinSql = (parts: readonly Sql[], separator: string): Sql => ({
  strings: ['', ...parts.slice(1).map(() => separator), ''],
  values: parts,
});

const write = ({ strings, values: own }: Sql, values: Value[]): string =>
  strings.reduce((text, string, index) => {
    if (index === 0) return string;
    const value = own[index - 1]!;
    return text + (isSql(value) ? write(value, values) : `$${values.push(value)}`) + string;
  }, '');

/** A template in the source is one array for ever: the way through the nested ones names the whole text. */
interface Known {
  text: string | undefined;
  next: Map<readonly string[], Known>;
}
const root: Known = { text: undefined, next: new Map() };

/** Follows a statement through its templates and collects its values; undefined where a part was put together anew. */
const follow = ({ strings, values: own }: Sql, values: Value[], from: Known): Known | undefined => {
  if (!('raw' in strings)) return undefined;
  let at = from.next.get(strings);
  if (at === undefined) {
    at = { text: undefined, next: new Map() };
    from.next.set(strings, at);
  }
  for (const value of own) {
    if (!isSql(value)) values.push(value);
    else {
      const inner = follow(value, values, at);
      if (inner === undefined) return undefined;
      at = inner;
    }
  }
  return at;
};

export const compile = (statement: Sql): { text: string; values: Value[] } => {
  const values: Value[] = [];
  const known = follow(statement, values, root);
  if (known?.text !== undefined) return { text: known.text, values };
  const again: Value[] = [];
  const text = write(statement, again);
  if (known !== undefined) known.text = text;
  return { text, values: again };
};
