// The cast: people and things with fixed names, in every scale and for every seed, so that examples in the docs are
// real answers. They take the first numbers of their tables; the rest of the world is made around them.

export const cast = {
  users: ['ada', 'grace', 'alan', 'mallory', 'exile'],
  agent: 'librarian',
  sponsor: { id: 'sponsor-acme', slug: 'acme' },
  bounty: { id: 'bounty-guide', slug: 'write-the-guide' },
  launch: 'lighthouse',
  collection: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
  contest: 'contest-spring',
  entry: 'entry-lighthouse',
} as const;

/** API keys of the demo, the same on every machine: for trying, never for a real community. */
export const demoKeys = {
  stranger: { user: 'mallory', key: 'chk_test_000000000000000000000000001' },
  member: { user: 'grace', key: 'chk_test_000000000000000000000000002' },
  god: { user: 'alan', key: 'chk_test_000000000000000000000000003' },
} as const;
