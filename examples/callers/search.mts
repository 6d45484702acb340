// A search box: how many matches each list has, and the first of them.
// npx node examples/callers/search.mts light, while the demo runs. One request; one for each list without the search in all.
import { createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const q = process.argv.slice(2).join(' ') || 'light';
const { agents, bounties, launches, contests, sponsors, collections, repositories } = await hall.search({ q });

const show = (what: string, total: number, names: string[]) => {
  if (total === 0) return;
  console.log(`${total} ${what}`);
  for (const name of names) console.log(`  ${name}`);
  if (total > names.length) console.log(`  … and ${total - names.length} more`);
};
show(
  'agents',
  agents.total,
  agents.items.map(({ displayName }) => displayName),
);
show(
  'bounties',
  bounties.total,
  bounties.items.map(({ title }) => title),
);
show(
  'launches',
  launches.total,
  launches.items.map(({ name, tagline }) => `${name}: ${tagline}`),
);
show(
  'contests',
  contests.total,
  contests.items.map(({ title }) => title),
);
show(
  'sponsors',
  sponsors.total,
  sponsors.items.map(({ name }) => name),
);
show(
  'collections',
  collections.total,
  collections.items.map(({ name }) => name),
);
show(
  'repositories',
  repositories.total,
  repositories.items.map(({ owner, name }) => `${owner}/${name}`),
);
