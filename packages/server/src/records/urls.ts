// gap G20: URLs that a browser may execute. Callers put URLs into links, so such a value is rejected wherever a column has
// one. `verify` lists rows that were stored otherwise. Any other scheme, and text without one, is stored as given.
import type { TSchema } from '@commonhall/contract/shared';
import { isUrl } from '@commonhall/contract/shared';
import type pg from 'pg';
import type { Table } from './columns.ts';
import { tables } from './tables.ts';

const executed = '^(javascript|vbscript|file|blob|data):';
/** The pictures that a data: URL may contain. SVG is not among them: it can have scripts. */
const picture =
  '^data:image/(apng|avif|bmp|gif|heic|heif|jpeg|jpg|jxl|png|tiff|webp|x-icon|vnd[.]microsoft[.]icon)[;,]';
/** Browsers leave out control characters before they read the scheme. */
const control = '[\\x01-\\x1f\\x7f-\\x9f]';

const [isExecuted, isPicture] = [new RegExp(executed, 'i'), new RegExp(picture, 'i')];
const controls = new RegExp(control, 'g');
/** Nearly no URL begins like one of them: the others are not copied. */
const mayBe = /^[\s\x01-\x1f\x7f-\x9f]*[bdfjv]/i;
export const isExecutable = (url: string): boolean => {
  if (!mayBe.test(url)) return false;
  const read = url.replace(controls, '').trim();
  return isExecuted.test(read) && !isPicture.test(read);
};
/** The same as SQL, over an expression for the URL. */
const isExecutableSql = (url: string): string => {
  const read = `regexp_replace(regexp_replace(${url}, '${control}', '', 'g'), '^\\s+', '')`;
  return `${read} ~* '${executed}' and ${read} !~* '${picture}'`;
};

/** The value of a field that a submission fills in, if the field is for a URL. */
const urlValue = Symbol('the value of a field for a URL');
/** The way from a column to a URL in it: keys of objects, and null for each element of an array. */
type Way = readonly (string | null | typeof urlValue)[];
/** URLs in texts and objects that can also have something else. */
const elsewhere: Readonly<Record<string, readonly (readonly [column: string, way: Way])[]>> = {
  bounty_submissions: [['field_values', [null, urlValue]]],
  contest_submissions: [['field_values', [null, urlValue]]],
  timeline_items: [['details', ['url']]],
};
interface Keywords {
  anyOf?: TSchema[];
  items?: TSchema;
  properties?: Record<string, TSchema>;
}
const waysIn = (schema: TSchema): Way[] => {
  if (isUrl(schema)) return [[]];
  const { anyOf = [], items, properties = {} } = schema as Keywords;
  return [
    ...anyOf.flatMap(waysIn),
    ...(items === undefined ? [] : waysIn(items).map((way) => [null, ...way])),
    ...Object.entries(properties).flatMap(([key, inner]) => waysIn(inner).map((way) => [key, ...way])),
  ];
};
const waysOf = ({ name: table, columns }: Table): (readonly [column: string, way: Way])[] => [
  ...Object.entries(columns).flatMap(([name, { schema }]) => waysIn(schema).map((way) => [name, way] as const)),
  ...(elsewhere[table] ?? []),
];

interface Place {
  at: string;
  url: string;
}
/** The texts at the end of a way; values on it may be of a wrong type. */
const urlsAt = (value: unknown, [step, ...rest]: Way, at: string): Place[] => {
  if (step === undefined) return typeof value === 'string' ? [{ at, url: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (step === null)
    return Array.isArray(value) ? value.flatMap((inner, index) => urlsAt(inner, rest, `${at}[${index}]`)) : [];
  if (step === urlValue) {
    const { type, value: filled } = value as { type?: unknown; value?: unknown };
    return /^url$/i.test(String(type)) ? urlsAt(filled, rest, `${at}.value`) : [];
  }
  return Object.hasOwn(value, step) ? urlsAt((value as Record<string, unknown>)[step], rest, `${at}.${step}`) : [];
};

/** Finds the URLs of a record that a browser may execute, with their places. */
export const executableUrls = (table: Table): ((record: Readonly<Record<string, unknown>>) => Place[]) => {
  const ways = waysOf(table);
  return (record) =>
    ways.flatMap(([name, way]) => urlsAt(record[name], way, name).filter(({ url }) => isExecutable(url)));
};

interface StoredUrl {
  table: string;
  key: string;
  column: string;
  url: string;
}
/** The most that are listed; more are counted. */
const mostListed = 20;
/** A step as a part of a jsonpath. */
const pathOf = (step: Way[number]): string => {
  if (step === null) return '[*]';
  return step === urlValue ? ' ? (@.type like_regex "^url$" flag "i").value' : `."${step}"`;
};
/** SQL for the stored URLs of a table that a browser may execute. */
const storedIn = (table: Table): string[] =>
  waysOf(table).map(([name, way]) => {
    const path = way.map(pathOf).join('');
    const from = way.length === 0 ? '' : ` cross join lateral jsonb_path_query(t.${name}, '$${path}') u (value)`;
    const url = way.length === 0 ? `t.${name}::text` : `(u.value #>> '{}')`;
    const key = `concat_ws(' ', ${table.key.map((column) => `t.${column}`).join(', ')})`;
    return `select '${table.name}' as table, ${key} as key, '${name}' as column, ${url} as url
      from ${table.name} t${from} where ${isExecutableSql(url)}`;
  });
/** Stored URLs that a browser may execute: from before the check, or written by SQL. */
export const storedExecutables = async (client: pg.Client): Promise<{ count: number; first: StoredUrl[] }> => {
  await client.query('set statement_timeout = 0'); // it reads whole tables
  const { rows } = await client.query<StoredUrl & { count: number }>(
    `select s.*, count(*) over ()::float8 as count from (${tables.flatMap(storedIn).join(' union all ')}) s
     order by s.table, s.key limit ${mostListed}`,
  );
  return { count: rows[0]?.count ?? 0, first: rows };
};
