// SQL with values beside it: sql`select … ${value}`. A nested sql`…` is spliced in, anything else becomes a parameter,
// so no text of a caller can ever become SQL.

import type { Value } from './statement.ts';

export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly (Value | Sql)[];
}

const isSql = (value: Value | Sql): value is Sql => typeof value === 'object' && value !== null && 'strings' in value;

export const sql = (strings: TemplateStringsArray, ...values: (Value | Sql)[]): Sql => ({ strings, values });

/** Memoizes a function. Nothing is evicted: only for functions with few different arguments. */
export const remembered = <K, V>(of: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = of(key);
      known.set(key, value);
    }
    return value;
  };
};

/** Marks strings that are built once: like a template in the source, they are always the same array. */
const fixedStrings = (strings: readonly string[]): readonly string[] => Object.assign([...strings], { raw: strings });

/** Trusted SQL, inserted unchanged: names and conditions of a declaration, never text of a caller. */
export const plain = remembered((text: string): Sql => ({ strings: fixedStrings([text]), values: [] }));

const joints = remembered((separator: string) =>
  remembered((parts: number) => fixedStrings(['', ...Array<string>(parts - 1).fill(separator), ''])),
);
export const joinSql = (parts: readonly Sql[], separator: string): Sql => ({
  strings: joints(separator)(parts.length),
  values: parts,
});

const write = ({ strings, values: own }: Sql, values: Value[]): string =>
  strings.reduce((text, string, index) => {
    if (index === 0) return string;
    const value = own[index - 1]!;
    return text + (isSql(value) ? write(value, values) : `$${values.push(value)}`) + string;
  }, '');

/** A trie of compiled texts. A template in the source is always the same array, so the path through its slots, and the
 * templates in them, identifies the whole text. A slot with a value is a step too: next time it may hold a template. */
interface Known {
  text: string | undefined;
  next: Map<readonly string[] | 'value', Known>;
}
const fresh = (): Known => ({ text: undefined, next: new Map() });
const root = fresh();

const step = (from: Known, key: readonly string[] | 'value'): Known => {
  let at = from.next.get(key);
  if (at === undefined) {
    at = fresh();
    from.next.set(key, at);
  }
  return at;
};

/** Follows a statement through its templates and collects its values; undefined when a part was built for this call. */
const follow = ({ strings, values: own }: Sql, values: Value[], from: Known): Known | undefined => {
  if (!('raw' in strings)) return undefined;
  let at = step(from, strings);
  for (const value of own) {
    if (isSql(value)) {
      const inner = follow(value, values, at);
      if (inner === undefined) return undefined;
      at = inner;
    } else {
      values.push(value);
      at = step(at, 'value');
    }
  }
  return at;
};

/** Compiles without the cache: `compile` must return the same. */
export const compileUncached = (statement: Sql): { text: string; values: Value[] } => {
  const values: Value[] = [];
  return { text: write(statement, values), values };
};

export const compile = (statement: Sql): { text: string; values: Value[] } => {
  const values: Value[] = [];
  const known = follow(statement, values, root);
  if (known?.text !== undefined) return { text: known.text, values };
  const written = compileUncached(statement);
  if (known !== undefined) known.text = written.text;
  return written;
};
