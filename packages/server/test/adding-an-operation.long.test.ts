// Follows the guide in CONTRIBUTING.md: adds a filtered list in a copy of the repository, changes only the files that
// the guide names, and runs the generic tests there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Changes } from './helpers/guide.ts';
import { changedCopy, filesOf } from './helpers/guide.ts';

/** Adds an operation that lists a user's agents by category: what is inserted into each file, and before which text. */
const changes: Changes = {
  'packages/contract/src/table.ts': [
    [
      '  getAgent: {',
      `  listUserAgents: {
    path: '/users/{username}/agents',
    query: ['page', 'pageSize', 'category'],
    auth: 'none',
    answer: 'page',
  },
`,
    ],
  ],
  'packages/contract/src/agents.ts': [
    [
      'export const getAgent = operation(',
      `export const listUserAgents = operation('listUserAgents', {
  tag: 'Agents',
  summary: 'The public agents of a user, newest first',
  description: 'Every agent that the user owns and that is public.',
  isAddition: true,
  cache: 'public',
  params: { username: pathValue('The owner of the agents.') },
  query: { ...paging, category: filterWord('The exact category of the agent.', 'category') },
  data: pageOf(Agent),
  failures: [],
  example: { username: 'ada', pageSize: 1 },
  order: ['createdAt', 'desc'],
});

`,
    ],
    [' getAgent, getAgentMetadata };', ' listUserAgents,'],
  ],
  'packages/server/src/db/lists/declarations.ts': [
    [
      'export const sponsors = list(',
      `export const userAgents = list('user_agents', 'agents', 'owner_id', {
  counted: 'is_public',
  facets: by('category'),
  sorts: { created: instant('created_at') },
});
`,
    ],
  ],
  'packages/server/src/queries/agents.ts': [
    [
      'const metadata = (',
      `type UserAgentsQuery = ParsedQueryOf<typeof listUserAgents>;

export const readUserAgents = (
  db: Db,
  username: string,
  query: UserAgentsQuery,
  apiUrl: string,
): Promise<Page | null> =>
  readPage(db, query, {
    parent: sql\`select u.id from users u where u.username = \${username} and u.is_public\`,
    ...filteredParts({
      list: userAgents,
      sort: 'created',
      isUp: false,
      parent: sql\`parent.id\`,
      filters: { category: query.category },
    }),
    ...agentItem(apiUrl),
  });

`,
    ],
    [" } from '@commonhall/contract/agents';\nimport { registrationType", ', listUserAgents'],
    [" } from '../db/lists.ts';", ', userAgents'],
    [' readRootPage }', ' readPage,'],
    [" } from './filtered.ts';", ', filteredParts'],
  ],
  'packages/server/src/routes/agents.ts': [
    [
      '  route(app, getAgent, async',
      `  route(
    app,
    listUserAgents,
    async ({ db, params, query, apiUrl }) =>
      (await readUserAgents(db, params.username, query, apiUrl)) ?? notFound('User'),
  );

`,
    ],
    [', registrationFilePath }', ', listUserAgents'],
    [" } from '../queries/agents.ts';", ', readUserAgents'],
  ],
  'packages/server/test/access/agents.ts': [
    [
      '  getAgent: {',
      `  listUserAgents: {
    call: { visible: { username: 'alice' }, hidden: { username: 'exile' }, unknown: { username: 'nobody' } },
    rows: { public: 'in', unpublished: 'out', withheld: 'out', taken: 'out', vouched: 'in', foreign: 'out', unknown: '404' },
    ask: (state) => ({
      args: [all, { ...all, category: 'tools' }].map((args) => ({
        ...args,
        username: state === 'unknown' ? 'nobody' : 'olga',
      })),
      marker: item(\`agent-\${state}\`),
    }),
  },
`,
    ],
  ],
  'packages/server/test/worlds.test.ts': [
    [
      "  expected['/agents?sortBy=name&sortOrder=asc']",
      "  expected['/users/u0/agents'] = state.isActive(0) ? ids(directory) : '404 NOT_FOUND';\n",
    ],
    ["  if (path.startsWith('/agents'))", '  if (/^\\/users\\/\\w+\\/agents/.test(path)) return String(item.id);\n'],
  ],
  'CHANGELOG.md': [['- The twenty operations', '- `listUserAgents`: the public agents of a user.\n']],
};

test('the guide names at most eight files, and a new operation needs no others', () => {
  const files = filesOf('Adding an operation', 'agents');
  assert.ok(files.length > 0 && files.length <= 8, String(files.length));
  assert.deepEqual(Object.keys(changes).sort(), files.toSorted());
});

test('an operation added by the guide compiles, is written into the documents by refresh, and passes the generic tests', (t) => {
  const { run } = changedCopy(changes, (line) => t.diagnostic(line));
  run('refresh', ['test/refresh.ts']);
  run('types', ['node_modules/typescript/bin/tsc']);
  run(
    'tests',
    [
      'test/run.ts',
      ...['every-operation', 'matrix', 'docs', 'worlds'].map((name) => `packages/server/test/${name}.test.ts`),
      ...['openapi', 'specification'].map((name) => `packages/contract/test/${name}.test.ts`),
    ],
    {
      TEST_NAMES: 'listUserAgents|every operation declares|random data sets|generated tables|names every column|twenty',
      WORLDS: '5',
    },
  );
});
