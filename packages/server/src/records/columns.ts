// The vocabulary of tables.ts: the types of columns and tables of the record format, and the kinds of columns.
import type { TSchema } from '@commonhall/contract/shared';
import {
  AdditionalLink,
  Avatar,
  Claps,
  Count,
  choice,
  Digest,
  FieldDefinition,
  FieldValue,
  Flag,
  Id,
  LongText,
  listOf,
  Name,
  openObject,
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
import type { RowRule, ValueRule } from './rules.ts';
import { addressProblem, detailsProblem, instantProblem, lineProblem, rowRules, slugProblem } from './rules.ts';

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'json' | 'bytes';
export interface Column {
  kind: Kind;
  schema: TSchema;
  nullable: boolean;
  audience: 'public' | 'private';
  /** A check beyond the schema, for a value that fits it and is not null. */
  rule?: ValueRule;
  /** Messages do not quote the value. */
  isUnquoted?: boolean;
  /** The value for a record that leaves the column out. Without it only a nullable column may be left out. */
  absentAs?: string;
  /** SQL over the row `t` that replaces the column in the public export. */
  shownAs?: string;
}
export interface Table {
  name: string;
  key: readonly string[];
  columns: Record<string, Column>;
  /** SQL for which rows `t` are public; null: the table is private as a whole. */
  publicRows: string | null;
  /** Checks beyond the schema, over several columns. */
  rules: readonly RowRule[];
}

const column =
  (kind: Kind) =>
  (schema: TSchema): Column => ({ kind, schema, nullable: false, audience: 'public' });
const integer = column('integer');
export const [text, number, json] = [column('text'), column('number'), column('json')];
export const flag = column('boolean')(Flag);
export const instant: Column = { ...column('instant')(Timestamp), rule: instantProblem };
export const stamps = { created_at: instant, updated_at: instant };
export const maybe = (given: Column): Column => ({ ...given, schema: orNull(given.schema), nullable: true });
export const secret = (given: Column): Column => ({ ...given, audience: 'private' });
/** Private, and never quoted in a message: wallets, reasons, hashes. */
export const sealed = (given: Column): Column => ({ ...secret(given), isUnquoted: true });
const line = (schema: TSchema): Column => ({ ...text(schema), rule: lineProblem });
export const [id, name, term] = [line(Id), text(Name), line(Term)];
export const slug: Column = { ...text(Slug), rule: slugProblem };
/** A status word: never empty. */
export const word = line(Id);
/** The platform's override of the status (gap G11). */
export const visibility: Column = secret(maybe(text(choice(['public', 'hidden']))));
export const [url, long, short] = [text(Url), text(LongText), text(ShortText)];
export const position = integer(Place);
export const names = json(listOf(Name));

export const table = (
  tableName: string,
  key: readonly string[],
  publicRows: string | null,
  columns: Record<string, Column>,
): Table => ({ name: tableName, key, columns, publicRows, rules: rowRules[tableName] ?? [] });

export const [avatar, fieldValues, links] = [json(Avatar), json(listOf(FieldValue)), json(listOf(AdditionalLink))];
export const [fieldDefinitions, urls, idList] = [json(listOf(FieldDefinition)), json(listOf(Url)), json(listOf(Id))];
export const [count, safeInteger, claps] = [integer(Count), integer(SafeInteger), integer(Claps)];
export const address: Column = { ...text(Id), rule: addressProblem };
export const anyObject: Column = { ...json(openObject({})), rule: detailsProblem };
export const hash = column('bytes')(Digest);

/** The schema of one record: every column is required, except those that are nullable or have `absentAs`. */
export const recordSchema = ({ columns }: Table) =>
  record(
    Object.fromEntries(
      Object.entries(columns).map(([name_, { schema, nullable, absentAs }]) => [
        name_,
        nullable || absentAs !== undefined ? optional(schema) : schema,
      ]),
    ),
  );
