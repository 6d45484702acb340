// SQL with values beside it: sql`select … ${value}`. A nested sql`…` is spliced in, anything else becomes a parameter,
// so no text of a caller can ever become SQL.

import type { Value } from './connection/statement.ts';

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

/** A character for each template: one in the source, or of `plain`, is always the same array. */
const characters = new Map<readonly string[], string>();
const mostCharacters = 60_000; // of the 65,536 that there are; the first one stands for a value
const characterOf = (strings: readonly string[]): string | undefined => {
  let character = characters.get(strings);
  if (character === undefined && characters.size < mostCharacters) {
    character = String.fromCharCode(characters.size + 1);
    characters.set(strings, character);
  }
  return character;
};

/** The templates of a statement and its values in order, which identifies the text. Collects the values. Undefined
 * when a part was built for this call. */
const shapeOf = ({ strings, values: own }: Sql, values: Value[]): string | undefined => {
  let shape = 'raw' in strings ? characterOf(strings) : undefined;
  for (const value of own) {
    if (shape === undefined) return undefined;
    if (isSql(value)) {
      const inner = shapeOf(value, values);
      shape = inner === undefined ? undefined : shape + inner;
    } else {
      values.push(value);
      shape += '\0';
    }
  }
  return shape;
};

/** Compiled texts by shape, the oldest first. Filters, sorts and searches combine to thousands of texts, which a caller
 * can ask for: beyond the limit the oldest is dropped. */
const texts = new Map<string, string>();
const mostTexts = 500;

/** Compiles without the cache: `compile` must return the same. */
export const compileUncached = (statement: Sql): { text: string; values: Value[] } => {
  const values: Value[] = [];
  return { text: write(statement, values), values };
};

export const compile = (statement: Sql): { text: string; values: Value[] } => {
  const values: Value[] = [];
  const shape = shapeOf(statement, values);
  const known = shape === undefined ? undefined : texts.get(shape);
  if (known !== undefined) return { text: known, values };
  const written = compileUncached(statement);
  if (shape !== undefined) {
    const [oldest] = texts.keys();
    if (texts.size >= mostTexts && oldest !== undefined) texts.delete(oldest);
    texts.set(shape, written.text);
  }
  return written;
};
