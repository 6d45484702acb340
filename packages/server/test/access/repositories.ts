// Access to repositories: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, item } from '../../../../test/helpers/access.ts';

export const repositoryAccess: AccessOf<typeof import('@commonhall/contract/repositories').repositoryOperations> = {
  listRepositories: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'in',
      hidden: 'in',
      deleted: 'out',
      foreign: 'in',
      unknown: 'out',
      taken: 'out',
    },
    ask: (state) => ({
      args:
        state === 'unknown'
          ? { ...all, category: 'nothing' }
          : [all, { ...all, category: 'tools' }, { ...all, q: 'r-' }],
      marker: item(state === 'unknown' ? 'r-public' : `r-${state}`),
    }),
  },
  getRepository: {
    call: {
      visible: { platform: 'github', platformId: 'the-first' },
      hidden: { platform: 'github', platformId: 'taken-down' },
      unknown: { platform: 'github', platformId: 'nothing' },
    },
    rows: {
      public: 'in',
      unpublished: 'in',
      hidden: 'in',
      deleted: '404',
      foreign: 'in',
      unknown: '404',
      taken: '404',
    },
    ask: (state) => ({
      args: {
        platform: state === 'foreign' ? 'elsewhere' : 'github',
        platformId: state === 'unknown' ? 'r-nothing' : `r-${state}`,
      },
      marker: item(`r-${state}`),
    }),
  },
};
