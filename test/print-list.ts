// npm run list [-- name]: prints the SQL that `commonhall migrate` runs for a list, for a reviewer or for psql.

import { lists } from '../packages/server/src/db/lists/declarations.ts';
import { installableOf } from '../packages/server/src/db/lists/generator.ts';
import { versionOf } from '../packages/server/src/db/lists/installable.ts';
import { listText } from './helpers/golden.ts';

const [name] = process.argv.slice(2);
const list = lists.find((each) => each.name === name);
if (list === undefined) {
  console.error(`name a list: ${lists.map((each) => each.name).join(', ')}`);
  process.exitCode = 1;
} else process.stdout.write(listText(list, versionOf(installableOf(list))));
