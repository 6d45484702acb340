// The tables in the docs that are generated from code. `npm run refresh` writes them between their marks; docs.test.ts
// compares them.
import { readFileSync } from 'node:fs';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import { urlOf } from '@commonhall/contract/url';
import { settings } from '../../src/config.ts';
import { tables as recordTables } from '../../src/dataset/tables.ts';
import type { List } from '../../src/db/lists.ts';
import { lists } from '../../src/db/lists.ts';
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

const defaultOf = (value: unknown): string => {
  if (value === undefined) return 'must be set';
  return String(value) === '' ? 'not set' : `\`${value}\``;
};

const all = Object.values<Operation>(operations);
const tables: { file: string; mark: string; text: () => string }[] = [
  {
    file: 'docs/fields.md',
    mark: 'lists',
    text: () => `| table | origin | what it holds |\n|---|---|---|\n${rowsOf(lists.flatMap(listRows))}`,
  },
  ...specificationTables().map(({ mark, text }) => ({ file: 'docs/specification.md', mark, text: () => text })),
  {
    file: 'docs/settings.md',
    mark: 'settings',
    text: () =>
      `| setting | default | meaning |\n|---|---|---|\n${rowsOf(
        Object.entries(settings).map(([name, { default: value, doc, secret }]) => [
          `\`${name}\`${secret === true ? ' (secret)' : ''}`,
          defaultOf(value),
          doc,
        ]),
      )}`,
  },
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

const root = new URL('../../../../', import.meta.url);
/** The current and the expected text of every document with such a table. */
export const docsWithTables = (): { file: string; is: string; should: string }[] => {
  const [file, is] = ['docs/loading-data.md', readFileSync(new URL('docs/loading-data.md', root), 'utf8')];
  const marked = [...Map.groupBy(tables, ({ file }) => file)].map(([file, own]) => {
    const is = readFileSync(new URL(file, root), 'utf8');
    const should = own.reduce((text, { mark, text: table }) => {
      const [before, rest] = text.split(`<!-- ${mark}: npm run refresh -->\n`);
      const [, after] = rest?.split(`<!-- end of ${mark} -->\n`) ?? [];
      if (before === undefined || after === undefined) throw new Error(`${file} has no marks for ${mark}`);
      return `${before}<!-- ${mark}: npm run refresh -->\n${table()}<!-- end of ${mark} -->\n${after}`;
    }, is);
    return { file, is, should };
  });
  return [...marked, { file, is, should: withColumns(is) }];
};
