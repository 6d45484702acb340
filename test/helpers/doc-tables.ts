// What is generated in the docs from code and from the alerts. `npm run refresh` writes it, tables between their marks;
// docs.test.ts compares it.
import { readFileSync } from 'node:fs';
import { operations } from '@commonhall/contract';
import { resources } from '@commonhall/contract/openapi-schemas';
import type { Operation } from '@commonhall/contract/operation';
import type { TSchema } from '@commonhall/contract/shared';
import { urlOf } from '@commonhall/contract/url';
import type { List } from '../../packages/server/src/db/lists/declarations.ts';
import { lists } from '../../packages/server/src/db/lists/declarations.ts';
import { storedJson } from '../../packages/server/src/db/lists/install.ts';
import type { StoredJson } from '../../packages/server/src/db/lists/stored-json.ts';
import { tables as recordTables } from '../../packages/server/src/records/tables.ts';
import { settings } from '../../packages/server/src/settings.ts';
import { readAlerts } from './promql.ts';
import { specificationTables } from './specification-tables.ts';

const rowsOf = (rows: readonly (readonly string[])[]): string => rows.map((row) => `| ${row.join(' | ')} |\n`).join('');

const listRows = ({ name, table, parent, counted, facets, sorts }: List): string[][] => {
  const by = [...(parent === null ? [] : [parent]), ...(facets?.columns ?? [])];
  const what = `rows of ${table}${counted === null ? '' : ' that are public'}${by.length === 0 ? '' : `, by ${by.join(', ')}`}`;
  return [
    [`\`${name}.totals\``, 'maintained', what],
    ...Object.entries(sorts).map(([sort, { column }]) => [
      `\`${name}.by_${sort}\``,
      'maintained',
      `blocks in the order of ${column}`,
    ]),
  ];
};

const storedRow = ({ name, table }: StoredJson): string[] => [
  `\`${name}.texts\``,
  'maintained',
  `parts of the JSON of ${table}`,
];

const defaultOf = (value: unknown): string => {
  if (value === undefined) return 'must be set';
  return String(value) === '' ? 'not set' : `\`${value}\``;
};

interface Setting {
  default?: unknown;
  doc: string;
  secret?: boolean;
}
/** The settings that an operator needs first. */
const first = `DATABASE_URL HOST PORT PUBLIC_URL TRUSTED_PROXIES METRICS_HOST MAX_AGE_SECONDS RATE_LIMIT_PER_ADDRESS
  DATABASE_CONNECTIONS KEY_PEPPER FEED_URL JOURNAL_FILE`.split(/\s+/);
const settingsTable = (isFirst: boolean): string => {
  const names = isFirst ? first : Object.keys(settings).filter((name) => !first.includes(name));
  const rows = names.map((name) => {
    const { default: value, doc, secret } = settings[name as keyof typeof settings] as Setting;
    return [`\`${name}\`${secret === true ? ' (secret)' : ''}`, defaultOf(value), doc];
  });
  return `| setting | default | meaning |\n|---|---|---|\n${rowsOf(rows)}`;
};

/** Breaks a text into lines of at most 120 characters. */
const wrapped = (text: string): string =>
  text.split(' ').reduce((lines, word) => {
    const isFull = lines.length - lines.lastIndexOf('\n') + word.length > 120;
    return lines === '' ? word : `${lines}${isFull ? '\n' : ' '}${word}`;
  }, '');
/** The beginning of each section of docs/alerts.md: the severity and the description of the alert. */
const withAlerts = (markdown: string): string =>
  readAlerts().reduce((text, { name, severity, annotations }) => {
    const [, described = ''] = /description: >-\n((?: {12}.*\n?)+)/.exec(annotations) ?? [];
    const lead = `**${severity === 'page' ? 'Page' : 'Ticket'}.** ${described.trim().replaceAll(/\s+/g, ' ')}`;
    return text.replace(
      new RegExp(`(\n## ${name}\n\n)[\\s\\S]*?\n\n`),
      (_, head: string) => `${head}${wrapped(lead)}\n\n`,
    );
  }, markdown);

/** Whether each field of docs/fields.md may be null or absent, in the section that has the name of its resource. */
const withNulls = (markdown: string): string =>
  Object.entries(resources).reduce((text, [name, schema]) => {
    const { properties = {}, required = [] } = schema as { properties?: Record<string, TSchema>; required?: string[] };
    const nullOf = (field: string): string => {
      const { anyOf = [] } = (properties[field] ?? {}) as { anyOf?: { type?: string }[] };
      if (!required.includes(field)) return 'absent';
      return anyOf.some(({ type }) => type === 'null') ? 'yes' : 'no';
    };
    return text.replace(new RegExp(`\n## ${name}\n[\\s\\S]*?(?=\n## |$)`), (section) =>
      section.replaceAll(/^\| (\w+) (\| [^|]* \|) (?:no|yes|absent) \|/gm, (row, field: string, column: string) =>
        Object.hasOwn(properties, field) ? `| ${field} ${column} ${nullOf(field)} |` : row,
      ),
    );
  }, markdown);

const all = Object.values<Operation>(operations);
const tables: { file: string; mark: string; text: () => string }[] = [
  {
    file: 'docs/fields.md',
    mark: 'lists',
    text: () =>
      `| table | origin | what it holds |\n|---|---|---|\n${rowsOf([...lists.flatMap(listRows), ...storedJson.map(storedRow)])}`,
  },
  ...specificationTables().map(({ mark, text }) => ({ file: 'docs/specification.md', mark, text: () => text })),
  ...[true, false].map((isFirst) => ({
    file: 'docs/settings.md',
    mark: isFirst ? 'first settings' : 'other settings',
    text: () => settingsTable(isFirst),
  })),
  {
    file: 'docs/demo.md',
    mark: 'requests',
    text: () =>
      `| operation | request | key |\n|---|---|---|\n${rowsOf(
        all.map(({ id, example, exampleCaller = '' }) => [id, `\`${urlOf('', id, example)}\``, exampleCaller]),
      )}`,
  },
];

/** The columns of each record, in the section of docs/loading-data.md that has its name. */
const withColumns = (markdown: string): string =>
  recordTables.reduce((text, { name, columns }) => {
    const rows = Object.entries(columns).map(([column, { kind, nullable, audience }]) => [
      ...[column, kind, nullable ? 'yes' : 'no', audience],
    ]);
    const table = new RegExp(`(\\n### ${name}\\n[^#]*?\\n\\|---[-|]*\\n)(?:\\|.*\\n)*`);
    if (!table.test(text)) throw new Error(`docs/loading-data.md has no table for ${name}`);
    return text.replace(table, (_, head: string) => head + rowsOf(rows));
  }, markdown);

const root = new URL('../../', import.meta.url);
/** What is written into a document besides the marked tables. */
const others: Readonly<Record<string, (markdown: string) => string>> = {
  'docs/loading-data.md': withColumns,
  'docs/alerts.md': withAlerts,
  'docs/fields.md': withNulls,
};
/** The current and the expected text of every document with such a table. */
export const docsWithTables = (): { file: string; is: string; should: string }[] => {
  const marked = Map.groupBy(tables, ({ file }) => file);
  return [...new Set([...marked.keys(), ...Object.keys(others)])].map((file) => {
    const is = readFileSync(new URL(file, root), 'utf8');
    const should = (marked.get(file) ?? []).reduce((text, { mark, text: table }) => {
      const [before, rest] = text.split(`<!-- ${mark}: npm run refresh -->\n`);
      const [, after] = rest?.split(`<!-- end of ${mark} -->\n`) ?? [];
      if (before === undefined || after === undefined) throw new Error(`${file} has no marks for ${mark}`);
      return `${before}<!-- ${mark}: npm run refresh -->\n${table()}<!-- end of ${mark} -->\n${after}`;
    }, is);
    return { file, is, should: others[file]?.(should) ?? should };
  });
};
