// What a bounty can ask for: the shape of a brief, the lists its subjects come from, and what all bounties say alike.

export interface BriefField {
  label: string;
  type: 'url' | 'repository' | 'text';
  required: boolean;
  /** What people write into a field of the type text. */
  values?: readonly string[];
}

export interface Brief {
  category: 'CONTENT' | 'DEVELOPMENT' | 'DESIGN';
  /** What `{subject}` can be. */
  subjects: readonly string[];
  titles: readonly string[];
  short: readonly string[];
  /** Why the sponsor asks for it; one of them opens the details. */
  why: readonly string[];
  wanted: readonly string[];
  judged: readonly string[];
  fields: readonly BriefField[];
  /** First prize, in whole units. */
  prizes: readonly number[];
  answers: { titles: readonly string[]; texts: readonly string[] };
}

export const concepts: readonly string[] = [
  'gas fees',
  'recovery phrases',
  'multi-signature wallets',
  'token allowances',
  'account abstraction',
  'zero-knowledge proofs',
  'on-chain voting',
  'testnets',
  'stablecoins',
  'contract upgrades',
  'soulbound badges',
  'agent registries',
  'open data licences',
  'rate limits',
  'webhooks',
  'semantic versioning',
  'code review',
  'threat modelling',
  'accessible forms',
  'offline-first apps',
  'reproducible builds',
  'release notes',
];

export const audiences: readonly string[] = [
  'newcomers',
  'teachers',
  'shop owners',
  'students',
  'mobile developers',
  'designers',
  'journalists',
  'meetup organisers',
  'volunteer maintainers',
  'parents',
];

export const languages: readonly string[] = [
  'Portuguese',
  'Swahili',
  'Vietnamese',
  'Turkish',
  'Arabic',
  'Hindi',
  'Indonesian',
  'Ukrainian',
  'Japanese',
  'Yoruba',
  'Korean',
  'Polish',
  'Spanish',
  'Tagalog',
  'Bengali',
  'French',
];

export const products: readonly string[] = [
  'mobile wallet',
  'block explorer',
  'testnet faucet',
  'developer portal',
  'community dashboard',
  'payment widget',
  'grant portal',
  'badge gallery',
  'status page',
  'event app',
  'price feed',
  'public API',
  'governance forum',
  'learning platform',
  'node installer',
  'hosted gateway',
];

/** The last lines of the details. */
export const closings: readonly string[] = [
  'Teams are welcome; name everyone who took part. Work that was published elsewhere before the start is not eligible.',
  'You keep the rights to your work. By entering you allow us to show it, with your name, for one year.',
  'Please publish your work under an open licence. We answer questions in the community chat on weekdays.',
  'One entry per person. You can change your entry until the submission period ends.',
  'Two people from our team read every entry. Each entry gets a short written answer, also those that do not win.',
  'Rewards are paid within ten days after the results, to the wallet that you enter with your submission.',
];

export const cleanUrl: BriefField = { label: 'Link', type: 'url', required: true };
