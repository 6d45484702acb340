// Writes the locked artefacts anew: packages/contract/openapi.json and packages/server/schema.sql. The tests compare.
import { writeFileSync } from 'node:fs';
import { openApiText } from '../packages/contract/test/helpers/openapi-text.ts';
import { migrate } from '../packages/server/src/db/migrate.ts';
import { printSchema } from '../packages/server/test/helpers/print-schema.ts';
import { startPostgres } from './postgres.ts';

writeFileSync(new URL('../packages/contract/openapi.json', import.meta.url), openApiText());
const postgres = await startPostgres();
try {
  await migrate(postgres.url, console.error);
  writeFileSync(new URL('../packages/server/schema.sql', import.meta.url), await printSchema(postgres.url));
} finally {
  await postgres.stop();
}
