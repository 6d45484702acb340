// Access to counts: for each operation a call for the generic tests, and its rows of the access table. The total is that of
// the public rows of the stage: a row that is not public is in none of the numbers.
import type { Access, AccessOf } from '../../../../test/helpers/access.ts';

const range = { from: '2000-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' };
const counted = (by: string, total: number): Access => ({
  call: { visible: {} },
  rows: { public: 'in' },
  ask: () => ({
    args: [{}, { by }, { by: 'month' }, { by, ...range }],
    marker: `{"total":${total},`,
  }),
});

export const countAccess: AccessOf<typeof import('@commonhall/contract/counts').countOperations> = {
  getCounts: {
    call: { visible: {} },
    rows: { public: 'in' },
    ask: () => ({
      args: {},
      marker:
        '{"agents":3,"sponsors":2,"bounties":5,"bountiesByStatus":[{"value":"OPEN","count":3},{"value":"COMPLETED","count":1},{"value":"LIMBO","count":1}],"launches":5,"launchWeeks":1,"contests":3,"collections":5,"holdings":5,"repositories":4}',
    }),
  },
  countAgents: counted('category', 3),
  countBounties: counted('sponsorId,status,category', 5),
  countLaunches: counted('topic', 5),
  countCollections: counted('type,isSbt', 5),
  countContests: counted('displayStatus', 3),
  countRepositories: counted('category,status', 4),
  countUserTimeline: {
    call: {
      visible: { username: 'alice' },
      hidden: { username: 'exile' },
      unknown: { username: 'nobody' },
    },
    rows: { public: 'in', hidden: '404', unknown: '404' },
    ask: (state) => {
      const username = { hidden: 'dora', unknown: 'nobody' }[state] ?? 'olga';
      return {
        args: [
          { username },
          { username, by: 'type' },
          { username, by: 'month', split: 'type' },
          { username, by: 'type', ...range },
        ],
        marker: '{"total":3,',
      };
    },
  },
};
