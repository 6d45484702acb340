// The words that tables.ts is written in: what a column and a table of the record format are.
import type { TSchema } from '@commonhall/contract/shared';
import {
  AdditionalLink,
  Address,
  Avatar,
  Count,
  FieldDefinition,
  FieldValue,
  Flag,
  Id,
  LongText,
  listOf,
  Name,
  orNull,
  Place,
  record,
  SafeInteger,
  ShortText,
  Slug,
  Timestamp,
  Title,
  Url,
} from '@commonhall/contract/shared';

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'json' | 'bytes';
export interface Column {
  kind: Kind;
  schema: TSchema;
  nullable: boolean;
  audience: 'public' | 'private';
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
export const maybe = (given: Column): Column => ({ ...given, schema: orNull(given.schema), nullable: true });
export const secret = (given: Column): Column => ({ ...given, audience: 'private' });
export const [id, name, slug, title, word] = [text(Id), text(Name), text(Slug), text(Title), text(Name)];
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
export const [count, safeInteger, address] = [integer(Count), integer(SafeInteger), text(Address)];

/** The schema of one record: every column is there, null where nothing is known. */
export const recordSchema = ({ columns }: Table) =>
  record(Object.fromEntries(Object.entries(columns).map(([column_, { schema }]) => [column_, schema])));
