// commonhall schema <table>: the JSON Schema of one record, for those who write the files.
import { recordSchema } from '../dataset/columns.ts';
import { tables } from '../dataset/tables.ts';

export const printSchema = (name: string, print: (line: string) => void): void => {
  const table = tables.find((each) => each.name === name);
  if (table === undefined)
    throw new Error(`there is no table ${name}; there are: ${tables.map((each) => each.name).join(', ')}`);
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: name, ...recordSchema(table) };
  print(JSON.stringify(schema, null, 2));
};
