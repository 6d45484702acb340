// The cast: users and other records with fixed names, for every scale and seed, so that the examples of the docs are
// real responses. They are the first records of their tables; the rest of the sample data is generated around them.

/** The default current time of the sample data. */
export const demoNow = '2026-11-01T12:00:00.000Z';

/** The default base URL of the pictures. */
export const demoPictures = 'http://127.0.0.1:8081';

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

/** API keys of the demo, the same on every machine. Never use them for a real community. */
export const demoKeys = {
  stranger: { username: 'mallory', key: 'chk_test_0000000000000000000000000010HxBOr' },
  member: { username: 'grace', key: 'chk_test_0000000000000000000000000022lH6El' },
  god: { username: 'alan', key: 'chk_test_00000000000000000000000000348S7Ov' },
} as const;

/** The pepper of the demo's keys. Not a secret. */
export const demoPepper = 'the pepper of the demo is no secret';

/** The display names and bios of the users of the cast. */
export const people: Record<string, { name: string; bio: string | null }> = {
  ada: { name: 'Ada Okafor', bio: 'Builds small tools that keep the lights on. Maintainer of Lighthouse.' },
  grace: { name: 'Grace Lindholm', bio: 'Runs the bounties at Acme. Ask me about the brief before you start.' },
  alan: { name: 'Alan Turay', bio: 'Keeps the platform running.' },
  mallory: { name: 'Mallory Quist', bio: 'Writer and tester. I read the manual so that you do not have to.' },
  exile: { name: 'Exile', bio: null },
};

export const lighthouse = {
  name: 'Lighthouse',
  tagline: 'One calm page that says what is up and what is not',
  description:
    'Lighthouse watches the services of a community and shows their state on one page that loads even when nothing else does.\n\nIt checks every service from three places, waits for a second opinion before it raises an alarm, and explains each incident in plain words. Members can subscribe to what they use, by chat or by feed.\n\nThe whole thing is one binary and one file of settings. It has been running on the cheapest machine we could find for two years.',
  repository: 'One calm page for the state of all services of a community',
} as const;

export const librarian = {
  name: 'Librarian',
  bio: 'Knows every guide, thread and decision of the community and answers with links instead of guesses. When it does not find anything, it says so and asks the people who might know.',
  service: 'Searches guides, threads and decisions, and answers with links.',
  tools: ['search_guides', 'find_decision', 'list_experts', 'cite'],
  tags: ['search', 'documentation'],
} as const;
