// What contests are about. A track says which domains of projects it is for.

export interface Track {
  name: string;
  description: string;
  /** Keys of domains. */
  domains: readonly string[];
}
export interface Theme {
  name: string;
  short: string;
  /** What to build, for the details. */
  brief: string;
  tracks: readonly [Track, ...Track[]];
}

/** The contest of the cast: in its voting, open to everything. */
export const springTheme: Theme = {
  name: 'Spring',
  short: 'Six weeks of building for the southern spring: anything that makes the community a better place.',
  brief:
    'Spring Build is the season’s open contest. Bring an idea, find a team, and ship something that members can use before the jacarandas stop flowering. Finished and small beats large and promised.',
  tracks: [
    {
      name: 'Everyday life',
      description: 'Tools for people who do not call themselves builders.',
      domains: ['wallets', 'education', 'maps', 'music', 'games'],
    },
    {
      name: 'Community',
      description: 'What helps a group to decide, meet and share.',
      domains: ['social', 'bots', 'identity', 'art', 'markets'],
    },
    {
      name: 'Foundations',
      description: 'Tools, data and infrastructure that others build on.',
      domains: ['devtools', 'infrastructure', 'analytics', 'science'],
    },
  ],
};

export const themes: readonly Theme[] = [
  {
    name: 'Safer Wallets',
    short: 'Build wallets that protect people from mistakes and from thieves.',
    brief: 'Most losses start with a hurried tap. Show what a wallet can do to slow people down at the right moment.',
    tracks: [
      { name: 'Recovery', description: 'Getting back in after losing a key.', domains: ['wallets'] },
      { name: 'Proofs', description: 'Knowing who is on the other side.', domains: ['identity', 'wallets'] },
    ],
  },
  {
    name: 'Open Data',
    short: 'Turn public records into something that people use.',
    brief: 'Cities, chains and field stations publish more data than anyone reads. Pick one source and make it useful.',
    tracks: [
      { name: 'City', description: 'Transport, maps and services.', domains: ['maps'] },
      { name: 'Research', description: 'Data for and from science.', domains: ['science', 'analytics'] },
    ],
  },
  {
    name: 'Slow Games',
    short: 'Games without timers, advertisements or pressure.',
    brief: 'Make a game that is kind to its players: one that can wait, and that ends when it should.',
    tracks: [
      { name: 'Play', description: 'Games for any number of players.', domains: ['games'] },
      { name: 'Learn', description: 'Games that teach something.', domains: ['education', 'games'] },
    ],
  },
  {
    name: 'Helpful Bots',
    short: 'Bots that do one chore well and then keep quiet.',
    brief: 'Group chats run on unpaid work. Build a bot that takes over one chore without reading everything.',
    tracks: [
      { name: 'Chat', description: 'Bots for messengers.', domains: ['bots'] },
      { name: 'Groups', description: 'Tools for the people behind a group.', domains: ['social', 'bots'] },
    ],
  },
  {
    name: 'Better Tools',
    short: 'Developer tools that explain themselves.',
    brief: 'A tool is good when its error messages are. Build something that developers will keep installed.',
    tracks: [
      { name: 'Tools', description: 'For the terminal and the editor.', domains: ['devtools'] },
      { name: 'Operations', description: 'For those who run what others build.', domains: ['infrastructure'] },
    ],
  },
  {
    name: 'Fair Markets',
    short: 'Trade that works for small sellers too.',
    brief: 'Fees, delays and small print hit small sellers hardest. Build a market that treats them fairly.',
    tracks: [
      { name: 'Trade', description: 'Buying, selling and settling.', domains: ['markets'] },
      { name: 'Insight', description: 'Numbers that sellers can trust.', domains: ['analytics', 'markets'] },
    ],
  },
  {
    name: 'Digital Arts',
    short: 'New ways to show, sell and keep digital art and music.',
    brief: 'Artists should own their work and be able to live from it. Show how.',
    tracks: [
      { name: 'Pictures', description: 'Galleries, prints and archives.', domains: ['art'] },
      { name: 'Sound', description: 'Music, podcasts and stages.', domains: ['music'] },
    ],
  },
  {
    name: 'Own Your Name',
    short: 'Identity without surveillance.',
    brief: 'Let people prove what matters and nothing else. Entries must work without a central list of users.',
    tracks: [
      { name: 'Credentials', description: 'Badges, diplomas and tickets.', domains: ['identity'] },
      { name: 'Communities', description: 'Membership, votes and trust.', domains: ['social', 'identity'] },
    ],
  },
  {
    name: 'Classroom',
    short: 'Learning that works with old phones and slow connections.',
    brief: 'Half of the world learns on a shared phone. Build for that half.',
    tracks: [
      { name: 'Lessons', description: 'Courses and exercises.', domains: ['education'] },
      { name: 'Field trips', description: 'Learning outside, with maps and sensors.', domains: ['maps', 'science'] },
    ],
  },
];

export const formats: readonly string[] = ['Build', 'Sprint', 'Challenge', 'Jam', 'Hack Week', 'Prize', 'Marathon'];

export const rules: readonly string[] = [
  'Teams have at most five members, and everyone can be in one team only.',
  'Code written before the start may be used if it is public and named in the entry.',
  'Every entry needs a demo that runs without an invitation.',
  'The jury looks at usefulness, craft and clarity, each with the same weight.',
  'Votes of members count for half of the result, and the jury for the other half.',
  'Members of the jury and their families cannot take part.',
  'Entries stay online for at least three months after the results.',
  'An open licence is required for all prizes.',
  'Follow the code of conduct. Entries that break it are removed.',
  'Prizes are paid within two weeks after the results.',
];
