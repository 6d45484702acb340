// commonhall schema [table]: prints the JSON Schema of one record, or of a change, for programs that write them.
import { changeTables } from '../feed/change.ts';
import type { Table } from '../records/columns.ts';
import { recordSchema } from '../records/columns.ts';
import { tableNamed } from '../records/records.ts';

const closed = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const changesOf = (table: Table): object[] => [
  closed({ op: { const: 'put' }, table: { const: table.name }, record: recordSchema(table) }),
  closed({
    op: { const: 'delete' },
    table: { const: table.name },
    key: closed(Object.fromEntries(table.key.map((name) => [name, table.columns[name]?.schema]))),
  }),
];

export const printSchema = (name: string | undefined, print: (line: string) => void): void => {
  const schema =
    name === undefined
      ? { title: 'change', oneOf: changeTables.flatMap(changesOf) }
      : { title: name, ...recordSchema(tableNamed(name)) };
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
  for (const line of JSON.stringify(document, null, 2).split('\n')) print(line);
};
