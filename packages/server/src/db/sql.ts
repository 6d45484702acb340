// SQL with values beside it: sql`select … ${value}`. A nested sql`…` is spliced in, anything else becomes a parameter,
// so no text of a caller can ever become SQL.

export interface Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

const isSql = (value: unknown): value is Sql => typeof value === 'object' && value !== null && 'strings' in value;

export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Sql => ({ strings, values });

export const joinSql = (parts: readonly Sql[], separator: string): Sql => ({
  strings: ['', ...parts.slice(1).map(() => separator), ''],
  values: parts,
});

export const compile = (statement: Sql): { text: string; values: unknown[] } => {
  const values: unknown[] = [];
  const write = ({ strings, values: own }: Sql): string =>
    strings.reduce((text, string, index) => {
      if (index === 0) return string;
      const value = own[index - 1];
      return text + (isSql(value) ? write(value) : `$${values.push(value)}`) + string;
    }, '');
  return { text: write(statement), values };
};
