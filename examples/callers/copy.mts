// Keeps a copy of all bounties in a file: run it again whenever you like. npx node examples/callers/copy.mts bounties.json,
// while the demo runs. One request for each page, and one for each row that seems to be gone: when a row of an earlier
// page is hidden during the walk, the rows behind it move up, and the walk misses one that is still there.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ApiError, createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const [file = 'bounties.json', pageSize = '100'] = process.argv.slice(2);
type Bounty = Awaited<ReturnType<typeof hall.listBounties>>['items'][number];

const before = new Map<string, Bounty>(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : []);
const now = new Map<string, Bounty>();
for await (const bounty of hall.items.listBounties({ pageSize: Number(pageSize) })) now.set(bounty.slug, bounty);

let gone = 0;
for (const [slug, bounty] of before)
  if (!now.has(slug))
    try {
      await hall.getBounty({ slug });
      now.set(slug, bounty); // the next walk sees what has changed in it
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
      gone += 1;
    }

writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(now)));
renameSync(`${file}.new`, file); // a reader never sees half of it
console.log(
  `${now.size} bounties, ${[...now.keys()].filter((slug) => !before.has(slug)).length} of them new; ${gone} gone`,
);
