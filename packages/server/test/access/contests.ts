// Access to contests: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, item } from '../../../../test/helpers/access.ts';

export const contestAccess: AccessOf<typeof import('@commonhall/contract/contests').contestOperations> = {
  listContests: {
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
      vouched: 'in',
    },
    ask: (state) => ({
      args: [all, { ...all, displayStatus: 'completed' }],
      marker: item(state === 'unknown' ? 't-hidden' : `t-${state}`),
    }),
  },
  getContest: {
    call: {
      visible: { idOrSlug: 'contest-id' },
      hidden: { idOrSlug: 'draft-contest' },
      unknown: { idOrSlug: 'nothing' },
    },
    rows: {
      public: 'in',
      unpublished: '404',
      hidden: '404',
      deleted: '404',
      foreign: 'in',
      unknown: '404',
      withheld: '404',
      taken: '404',
      vouched: 'in',
    },
    ask: (state) => ({
      args: { idOrSlug: state === 'unknown' ? 't-nothing' : `t-${state}` },
      marker: item(`t-${state}`),
    }),
  },
  listContestSubmissions: {
    call: {
      visible: { contestId: 'contest-id' },
      hidden: { contestId: 'draft-contest' },
      unknown: { contestId: 'nothing' },
    },
    rows: {
      public: 'in',
      unpublished: '404',
      hidden: 'out',
      deleted: 'out',
      foreign: 'out',
      unknown: '404',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      withheldParent: '404',
      takenParent: '404',
      vouchedParent: 'in',
      takenItem: 'out',
    },
    ask: (state) => {
      const parent = /^(\w+)Parent$/.exec(state)?.[1];
      const marker = parent === undefined ? `e-${state}` : `e-in-t-${parent}`;
      const contestId =
        parent === undefined
          ? ({ unpublished: 't-unpublished', foreign: 't-foreign', unknown: 't-nothing' }[state] ?? 't-public')
          : `t-${parent}`;
      return {
        args: [
          { ...all, contestId },
          { ...all, contestId, trackId: 'track' },
        ],
        marker: item({ foreign: 'e-public', takenItem: 'r-taken' }[state] ?? marker),
      };
    },
  },
  getContestSubmission: {
    call: {
      visible: { contestId: 'contest-id', submissionId: 'entry-id' },
      hidden: { contestId: 'contest-id', submissionId: 'hidden-entry' },
      unknown: { contestId: 'contest-id', submissionId: 'nothing' },
    },
    rows: {
      public: 'in',
      unpublished: '404',
      hidden: '404',
      deleted: '404',
      foreign: '404',
      unknown: '404',
      withheld: '404',
      taken: '404',
      overruled: '404',
      vouched: 'in',
      withheldParent: '404',
      takenParent: '404',
      vouchedParent: 'in',
      takenItem: 'out',
    },
    ask: (state) => {
      const parent = /^(\w+)Parent$/.exec(state)?.[1];
      if (parent !== undefined) {
        const submissionId = `e-in-t-${parent}`;
        return { args: { contestId: `t-${parent}`, submissionId }, marker: item(submissionId) };
      }
      return {
        args: {
          contestId: { unpublished: 't-unpublished', foreign: 't-foreign' }[state] ?? 't-public',
          submissionId: state === 'foreign' ? 'e-public' : `e-${state}`,
        },
        marker: item(state === 'takenItem' ? 'r-taken' : `e-${state}`),
      };
    },
  },
};
