// Writes the locked artefacts anew: packages/contract/openapi.json, the migration of the lists, and packages/server/schema.sql.
// The tests compare.
import { writeFileSync } from 'node:fs';
import { openApiText } from '../packages/contract/test/helpers/openapi-text.ts';
import { listsMigration } from '../packages/server/src/db/list-sql.ts';
import { lists } from '../packages/server/src/db/lists.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { printSchema } from '../packages/server/test/helpers/print-schema.ts';
import { startPostgres } from './postgres.ts';

const at = (path: string): URL => new URL(`../packages/${path}`, import.meta.url);
writeFileSync(at('contract/openapi.json'), openApiText());
writeFileSync(at('server/migrations/0004_lists.sql'), listsMigration(lists));
const postgres = await startPostgres();
try {
  await migrate(postgres.url, console.error);
  writeFileSync(at('server/schema.sql'), await printSchema(postgres.url));
} finally {
  await postgres.stop();
}
