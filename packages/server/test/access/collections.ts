// Access to collections: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, item } from '../../../../test/helpers/access.ts';

export const collectionAccess: AccessOf<typeof import('@commonhall/contract/collections').collectionOperations> = {
  listCollections: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      deleted: 'out',
      foreign: 'in',
      unknown: 'in',
      withheld: 'out',
      taken: 'out',
      overruled: 'out',
      vouched: 'in',
      wordless: 'in',
    },
    ask: (state) => ({
      // Unfiltered, filtered and searched; each also in the order that has a separate table.
      args: [{}, { isSbt: 'true' }, { q: 'the' }].flatMap((filter) =>
        ['createdAt', 'holdersCount'].map((sortBy) => ({ ...all, ...filter, sortBy })),
      ),
      marker: item(`c-${state}`),
    }),
  },
  getCollection: {
    call: {
      visible: { address: 'the-collection' },
      hidden: { address: 'draft-collection' },
      unknown: { address: 'nothing' },
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
      overruled: '404',
      vouched: 'in',
      wordless: 'in',
      withheldItem: 'out',
      takenItem: 'out',
      vouchedItem: 'in',
    },
    ask: (state) =>
      /^(withheld|taken|vouched)Item$/.test(state)
        ? { args: { address: 'c-public' }, marker: item(`t-${state.replace('Item', '')}`) }
        : { args: { address: state === 'unknown' ? 'c-nothing' : `c-${state}` }, marker: item(`c-${state}`) },
  },
  listCollectionHolders: {
    call: {
      visible: { address: 'the-collection' },
      hidden: { address: 'draft-collection' },
      unknown: { address: 'nothing' },
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
      overruled: '404',
      vouched: 'in',
      wordless: 'in',
    },
    ask: (state) => ({
      args: { ...all, address: state === 'unknown' ? 'c-nothing' : `c-${state}` },
      marker: item('hank'),
    }),
  },
};
