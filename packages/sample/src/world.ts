// Realistic sample data from one seed. Each table is a generator of records in the record format. Ids follow from the
// number of the record, so that tables can refer to each other without any stored state.
import { makeAgents } from './agents.ts';
import { bountiesOf, makeBounties } from './bounties.ts';
import { collectionsOf, makeCollections } from './collections.ts';
import { contestsOf, makeContests } from './contests.ts';
import { makeEntries } from './entries.ts';
import { launchFactsOf } from './launch-facts.ts';
import { makeLaunches } from './launches.ts';
import type { Row, WorldOptions } from './parts.ts';
import { partsOf } from './parts.ts';
import { makePeople, peopleOf } from './people.ts';
import { makeRepositories, projectsOf } from './projects.ts';
import { makeSubmissions } from './submissions.ts';
import { makeTimeline } from './timeline.ts';

/** The tables in load order: a table comes after those that it refers to. */
export const tableNames = [
  'users',
  'agents',
  'sponsors',
  'sponsor_members',
  'bounties',
  'bounty_submissions',
  'bounty_submission_makers',
  'topics',
  'launches',
  'launch_topics',
  'launch_makers',
  'launch_claps',
  'collections',
  'contests',
  'collection_contests',
  'collection_holders',
  'repositories',
  'contest_submissions',
  'contest_submission_supporters',
  'timeline_items',
] as const;

/** A generator of records for each table. Each call starts from the first record. */
export const worldOf = (options: WorldOptions): Record<string, () => Iterable<Row>> => {
  const parts = partsOf(options);
  const people = peopleOf(parts);
  const contests = contestsOf(parts);
  const launches = launchFactsOf(parts);
  const projects = projectsOf(parts, people, contests, launches);
  const bounties = bountiesOf(parts, people);
  const collections = collectionsOf(parts, contests);
  return {
    ...makePeople(parts, people, contests),
    ...makeAgents(parts),
    ...makeBounties(parts, bounties),
    ...makeSubmissions(parts, people, bounties),
    ...makeLaunches(parts, launches, projects),
    ...makeCollections(parts, collections, contests),
    ...makeContests(parts, contests),
    ...makeRepositories(parts, projects),
    ...makeEntries(parts, contests, projects),
    ...makeTimeline(parts, { people, projects, contests, collections, launches }),
  };
};
