// Access to agents: for each operation a call for the generic tests, and its rows of the access table.
import type { AccessOf } from '../../../../test/helpers/access.ts';
import { all, item } from '../../../../test/helpers/access.ts';

export const agentAccess: AccessOf<typeof import('@commonhall/contract/agents').agentOperations> = {
  listAgents: {
    call: { visible: {} },
    rows: {
      public: 'in',
      unpublished: 'out',
      hidden: 'out',
      deleted: 'out',
      foreign: 'in',
      withheld: 'out',
      taken: 'out',
      vouched: 'in',
      unknown: 'out',
    },
    ask: (state) => ({
      args: [all, { ...all, category: 'tools' }, { ...all, q: 'agent' }, { ...all, sortBy: 'name' }],
      marker: item(state === 'unknown' ? 'agent-unknown' : `agent-${state}`),
    }),
  },
  getAgent: {
    call: { visible: { name: 'helper' }, hidden: { name: 'draft-agent' }, unknown: { name: 'nobody' } },
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
    ask: (state) => ({ args: { name: `agent-${state}` }, marker: item(`agent-${state}`) }),
  },
  getAgentMetadata: {
    call: { visible: { name: 'helper' }, hidden: { name: 'draft-agent' }, unknown: { name: 'nobody' } },
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
    ask: (state) => ({ args: { name: `agent-${state}` }, marker: item(`the agent-${state}`) }),
  },
};
