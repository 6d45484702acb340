// commonhall schema <table>: the JSON Schema of one record, for those who write the files.
import { recordSchema } from '../dataset/columns.ts';
import { tableNamed } from '../dataset/records.ts';

export const printSchema = (name: string, print: (line: string) => void): void => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name,
    ...recordSchema(tableNamed(name)),
  };
  for (const line of JSON.stringify(schema, null, 2).split('\n')) print(line);
};
