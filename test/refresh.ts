// npm run refresh: writes the generated files: the migration of the lists, schema.sql, the examples, the OpenAPI
// document and the tables in the docs. Tests check that they are up to date.
import { writeFileSync } from 'node:fs';
import { listsMigration } from '../packages/server/src/db/list-sql.ts';
import { lists } from '../packages/server/src/db/lists.ts';
import { docsWithTables } from '../packages/server/test/helpers/doc-tables.ts';
import { printSchema } from '../packages/server/test/helpers/print-schema.ts';
import { buildDocument } from '../release/document.ts';
import { startPostgres } from './postgres.ts';

const at = (path: string): URL => new URL(`../packages/${path}`, import.meta.url);
writeFileSync(at('server/migrations/0004_lists.sql'), listsMigration(lists));
// Imported only now, because these modules read the migrations at import.
const { migrate } = await import('../packages/server/src/db/migrate.ts');
const { makeExamples } = await import('./examples.ts');
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
