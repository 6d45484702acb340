// npm run list [-- name]: prints the SQL that `commonhall migrate` runs for a list, for a reviewer or for psql.

import { installables } from '../packages/server/src/db/lists/install.ts';
import { versionOf } from '../packages/server/src/db/lists/installable.ts';
import { installText } from './helpers/golden.ts';

const [name] = process.argv.slice(2);
const one = installables.find((each) => each.name === name);
if (one === undefined) {
  console.error(`name a list: ${installables.map((each) => each.name).join(', ')}`);
  process.exitCode = 1;
} else process.stdout.write(installText(one, versionOf(one)));
