// PostGraphile 5: GraphQL generated from the tables, on node:http with grafserv.
import type { Peer, PeerRequest } from './peer.ts';
import { agentFields, connections, installInto, isAgent, isHolders, startServer, userFields } from './peer.ts';

const server = `import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { pgSmartTags } from 'postgraphile/utils';

const tables = ['agents', 'users', 'collections', 'collection_holders'];

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [
    pgSmartTags([
      { kind: 'class', match: (table) => !tables.includes(table.relname), tags: { behavior: '-*' } },
      { kind: 'procedure', match: () => true, tags: { behavior: '-*' } },
    ]),
  ],
  disablePlugins: ['PgMutationCreatePlugin', 'PgMutationUpdateDeletePlugin'],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['public'],
      pubsub: false,
      poolConfig: { max: ${connections} },
    }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
});

await instance.getSchema();
const http = createServer();
http.on('error', (error) => {
  console.error(error);
  process.exit(1);
});
await instance.createServ(grafserv).addTo(http);
http.listen(Number(process.env.PORT), '127.0.0.1');
`;

// PostGraphile names a column id rowId, since id is its global object identifier.
const selection = (fields: string[]): string => fields.map((field) => (field === 'id' ? 'id: rowId' : field)).join(' ');

const agentQuery = `query ($name: SlugText!) {
  agent: agentByName(name: $name) { ${selection(agentFields)} owner: userByOwnerId { ${selection(userFields)} } }
}`;

const holdersQuery = `query ($address: IdText!) {
  collection: collectionByAddress(address: $address) {
    holders: collectionHoldersByCollectionAddress(first: 20, orderBy: [ACQUIRED_AT_ASC, USER_ID_ASC]) {
      totalCount
      nodes { user: userByUserId { ${selection(userFields)} } }
    }
  }
}`;

const post = (query: string, variables: Record<string, string>): PeerRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify({ query, variables }),
});

interface Answer {
  errors?: unknown;
  data?: { agent?: unknown; collection?: { holders?: { totalCount: number; nodes: { user: unknown }[] } } };
}

export const postgraphile: Peer = {
  name: 'PostGraphile 5.1.5',
  install: (folder) => installInto(folder, { postgraphile: '5.1.5' }, { 'server.js': server }),
  start: startServer,
  requests: {
    A: (name) => post(agentQuery, { name }),
    H: (address) => post(holdersQuery, { address }),
  },
  isRight: (job, body) => {
    const { errors, data } = JSON.parse(body) as Answer;
    if (errors !== undefined) return false;
    if (job === 'A') return isAgent(data?.agent);
    const holders = data?.collection?.holders;
    return isHolders(
      holders?.totalCount,
      holders?.nodes.map(({ user }) => user),
    );
  },
};
