// npm run refresh: writes the generated files: schema.sql, the golden lists, the examples, the OpenAPI document and the
// tables in the docs. Tests check that they are up to date.
import { writeFileSync } from 'node:fs';
import { migrate } from '../packages/server/src/db/schema/migrate.ts';
import { buildDocument } from '../release/document.ts';
import { makeExamples } from './examples.ts';
import { docsWithTables } from './helpers/doc-tables.ts';
import { golden } from './helpers/golden.ts';
import { printSchema } from './helpers/print-schema.ts';
import { startPostgres } from './postgres.ts';

const at = (path: string): URL => new URL(`../packages/${path}`, import.meta.url);
for (const { file, text } of golden) writeFileSync(file, text);
const postgres = await startPostgres();
try {
  await migrate(postgres.url, console.error);
  writeFileSync(at('server/schema.sql'), await printSchema(postgres.url));
} finally {
  await postgres.stop();
}
const examples = await makeExamples();
writeFileSync(at('contract/examples.json'), `${JSON.stringify(examples, null, 2)}\n`);
buildDocument(examples);
for (const { file, should } of docsWithTables()) writeFileSync(new URL(`../${file}`, import.meta.url), should);
