// The words that tables.ts is written in: what a column and a table of the record format are.
import type { TSchema } from '@commonhall/contract/shared';
import {
  AdditionalLink,
  Avatar,
  Count,
  choice,
  FieldDefinition,
  FieldValue,
  Flag,
  Id,
  LongText,
  listOf,
  Name,
  optional,
  orNull,
  Place,
  record,
  SafeInteger,
  ShortText,
  Slug,
  Term,
  Timestamp,
  Url,
} from '@commonhall/contract/shared';

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'json' | 'bytes';
export interface Column {
  kind: Kind;
  schema: TSchema;
  nullable: boolean;
  audience: 'public' | 'private';
  /** What no schema says: the problem of a text, or null. */
  rule?: (value: string) => string | null;
  /** What a load writes when a record leaves the column out. Without it only a nullable column may be left out. */
  absentAs?: string;
  /** In the public export instead of the column itself: SQL over the row `t`. */
  shownAs?: string;
}
export interface Table {
  name: string;
  key: readonly string[];
  columns: Record<string, Column>;
  /** Which rows `t` are public: SQL. null: the table is private as a whole. */
  publicRows: string | null;
}

export const column =
  (kind: Kind) =>
  (schema: TSchema): Column => ({ kind, schema, nullable: false, audience: 'public' });
const integer = column('integer');
export const [text, number, json] = [column('text'), column('number'), column('json')];
export const flag = column('boolean')(Flag);
export const instant = column('instant')(Timestamp);
export const stamps = { created_at: instant, updated_at: instant };
export const maybe = (given: Column): Column => ({ ...given, schema: orNull(given.schema), nullable: true });
export const secret = (given: Column): Column => ({ ...given, audience: 'private' });
/** gap G18: what stands in a URL. The database holds the same, but for code points that it does not know as unassigned. */
const slugProblem = (value: string): string | null => {
  const isRight = value !== '.' && value !== '..' && value.normalize('NFC') === value;
  return isRight && /^[^\p{C}\p{Z}/?#%\\]+$/u.test(value)
    ? null
    : 'must have no blank, none of / ? # % \\, no invisible character, and be in Unicode NFC';
};
export const [id, name, term] = [text(Id), text(Name), text(Term)];
export const slug: Column = { ...text(Slug), rule: slugProblem };
/** A state: never empty. */
export const word = text(Id);
/** What the platform says about a row beside its state (gap G11). */
export const visibility: Column = secret(maybe(text(choice(['public', 'hidden']))));
export const [url, long, short] = [text(Url), text(LongText), text(ShortText)];
export const position = integer(Place);
export const names = json(listOf(Name));

export const table = (
  tableName: string,
  key: readonly string[],
  publicRows: string | null,
  columns: Record<string, Column>,
): Table => ({ name: tableName, key, columns, publicRows });

export const [avatar, fieldValues, links] = [json(Avatar), json(listOf(FieldValue)), json(listOf(AdditionalLink))];
export const [fieldDefinitions, urls, idList] = [json(listOf(FieldDefinition)), json(listOf(Url)), json(listOf(Id))];
export const [count, safeInteger] = [integer(Count), integer(SafeInteger)];

/** The schema of one record: every column is there, but for those that may be null or have a value when absent. */
export const recordSchema = ({ columns }: Table) =>
  record(
    Object.fromEntries(
      Object.entries(columns).map(([name_, { schema, nullable, absentAs }]) => [
        name_,
        nullable || absentAs !== undefined ? optional(schema) : schema,
      ]),
    ),
  );
