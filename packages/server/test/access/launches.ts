// Access to launches: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, item, publicLaunches, rank, week, weeks } from '../../../../test/helpers/access.ts';

export const launchAccess: AccessOf<typeof import('@commonhall/contract/launches').launchOperations> = {
  listLaunches: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      deleted: 'out',
      foreign: 'in',
      unknown: 'out',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      count: 'in',
    },
    ask: (state) => ({
      args: [
        all,
        { ...all, launchWeek: week },
        { ...all, topic: 'games' },
        { ...all, launchWeek: week, topic: 'games' },
      ],
      marker: state === 'count' ? rank : item(state === 'unknown' ? 'l-nothing' : `l-${state}`),
    }),
  },
  getLaunch: {
    call: { visible: { slug: 'product-1' }, hidden: { slug: 'draft-launch' }, unknown: { slug: 'nothing' } },
    rows: {
      public: 'in   401  clap clap clap clap clap clap clap 401',
      unpublished: '404  401  404  404  404  404  404  404  404  401',
      hidden: '404  401  404  404  404  404  404  404  404  401',
      deleted: '404  401  404  404  404  404  404  404  404  401',
      foreign: 'in   401  clap clap clap clap clap clap clap 401',
      unknown: '404  401  404  404  404  404  404  404  404  401',
      withheld: '404  401  404  404  404  404  404  404  404  401',
      taken: '404  401  404  404  404  404  404  404  404  401',
      overruled: '404  401  404  404  404  404  404  404  404  401',
      vouched: 'in   401  clap clap clap clap clap clap clap 401',
      count: 'in   401  clap clap clap clap clap clap clap 401',
    },
    ask: (state) => ({
      args: { slug: state === 'count' ? 'l-public' : `l-${state}` },
      marker: state === 'count' ? rank : item(`l-${state}`),
    }),
  },
  listFeaturedLaunches: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      deleted: 'out',
      foreign: 'in',
      unknown: 'out',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      count: 'in',
    },
    ask: (state) => ({
      args: {},
      marker: state === 'count' ? rank : item({ hidden: 'l-plain', unknown: 'l-hidden' }[state] ?? `l-${state}`),
    }),
  },
  listUserLaunches: {
    call: { visible: { username: 'alice' }, hidden: { username: 'exile' }, unknown: { username: 'nobody' } },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: '404',
      deleted: 'out',
      foreign: 'out',
      unknown: '404',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      count: 'in',
    },
    ask: (state) => ({
      args: { ...all, username: { hidden: 'dora', unknown: 'nobody' }[state] ?? 'olga' },
      marker: state === 'count' ? rank : item(state === 'foreign' ? 'l-other' : `l-${state}`),
    }),
  },
  listLaunchWeeks: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'out',
      withheld: 'out',
      taken: 'out',
      count: 'in',
    },
    ask: (state) => ({
      args: all,
      marker:
        state === 'count'
          ? `{"launchWeek":"${week}","launchCount":${publicLaunches}}`
          : item(state === 'public' ? week : weeks[state]!),
    }),
  },
};
