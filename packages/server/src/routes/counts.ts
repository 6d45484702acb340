// Routes of counts.
import {
  countAgents,
  countBounties,
  countCollections,
  countContests,
  countLaunches,
  countRepositories,
  countUserTimeline,
  getCounts,
  mostBuckets,
  mostValues,
} from '@commonhall/contract/counts';
import type { FastifyInstance } from 'fastify';
import { invalid, notFound } from '../http/errors.ts';
import { route } from '../http/route.ts';
import {
  countedAgents,
  countedBounties,
  countedCollections,
  countedContests,
  countedLaunches,
  countedRepositories,
  countedTimeline,
  findCounts,
  readCounts,
  TooMany,
} from '../queries/counts.ts';

const orRefused = <T>(answer: T | TooMany): T => {
  if (!(answer instanceof TooMany)) return answer;
  const most = (answer.isBucket ? mostBuckets : mostValues).toLocaleString('en');
  if (answer.isBucket)
    throw invalid(
      `parameter \`by\`: there would be more than ${most} buckets by ${answer.by}; give \`from\` and \`to\`, or a longer unit`,
    );
  const way = answer.by === 'launchWeek' ? 'read `/launch-weeks`' : 'narrow it by another filter or by `from` and `to`';
  throw invalid(`parameter \`by\`: ${answer.by} has more than ${most} values here; ${way}`);
};

/** A list without a parent is always found. */
const found = <T>(answer: T | TooMany | null): T => orRefused(answer) ?? notFound('List');

export const countRoutes = (app: FastifyInstance): void => {
  route(app, getCounts, async ({ db }) => findCounts(db));
  route(app, countAgents, async ({ db, query }) => found(await readCounts(db, query, countedAgents(query))));
  route(app, countBounties, async ({ db, query }) => found(await readCounts(db, query, countedBounties(query))));
  route(app, countCollections, async ({ db, query }) => found(await readCounts(db, query, countedCollections(query))));
  route(app, countContests, async ({ db, query }) => found(await readCounts(db, query, countedContests(query))));
  route(app, countRepositories, async ({ db, query }) =>
    found(await readCounts(db, query, countedRepositories(query))),
  );

  route(app, countLaunches, async ({ db, query }) => {
    const names = query.by?.split(',') ?? [];
    if (query.launchWeek !== undefined && names.some((name) => name !== 'topic' && name !== 'launchWeek'))
      throw invalid('parameter `by`: launches of one `launchWeek` are sorted by rank, so they have no buckets of time');
    if (names.includes('launchWeek') && (query.from ?? query.to) !== undefined)
      throw invalid(
        'parameter `by`: launchWeek is not counted in a range; leave `from` and `to` out, or count by week',
      );
    return found(await readCounts(db, query, countedLaunches(query)));
  });

  route(
    app,
    countUserTimeline,
    async ({ db, params, query }) =>
      orRefused(await readCounts(db, query, countedTimeline(params.username, query))) ?? notFound('User'),
  );
};
