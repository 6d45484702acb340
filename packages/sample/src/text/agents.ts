// What agents are for. A purpose brings the tools, the category and the tags that belong to it.

export interface Purpose {
  role: string;
  category: 'research' | 'trading' | 'support' | 'code';
  tags: readonly string[];
  tools: readonly string[];
  /** What the service behind it offers. */
  service: string;
  bio: readonly string[];
}

export const agentWords: readonly string[] =
  'Wren Harbour Marble Juno Osprey Pixel Tansy Orbit Cricket Sorrel Atlas Nimble Fern Copper Willow Rook Pepper Lumen Basil Tidal Mica Sage Hollow Amber Finch Cosmo Poppy Slate Birch Echo Quince Ridge Lark Ivory Delta Moss Piper Storm Clover Onyx'.split(
    ' ',
  );

export const purposes: readonly Purpose[] = [
  {
    role: 'Reviewer',
    category: 'code',
    tags: ['code-review', 'pull-requests'],
    tools: ['review_diff', 'explain_finding', 'suggest_patch'],
    service: 'Reads a diff and comments on what could break.',
    bio: [
      'Reviews pull requests before a person does and points at the lines that matter.',
      'Reads every diff twice and comments only when it is sure.',
    ],
  },
  {
    role: 'Auditor',
    category: 'code',
    tags: ['security', 'smart-contracts'],
    tools: ['scan_contract', 'list_findings', 'compare_versions'],
    service: 'Scans a contract for known weaknesses and explains each finding.',
    bio: [
      'Looks for the usual mistakes in smart contracts, so that human auditors can look for the unusual ones.',
      'Compares each upgrade of a contract with the version before it and reports what changed in behaviour.',
    ],
  },
  {
    role: 'Scribe',
    category: 'code',
    tags: ['documentation', 'release-notes'],
    tools: ['draft_release_notes', 'check_links', 'find_outdated_pages'],
    service: 'Writes release notes and finds pages that no longer match the code.',
    bio: [
      'Writes release notes from merged pull requests and asks when a change has no reason.',
      'Keeps documentation honest: it runs the examples and reports those that fail.',
    ],
  },
  {
    role: 'Triage',
    category: 'support',
    tags: ['issues', 'community'],
    tools: ['label_issue', 'find_duplicates', 'ask_for_details'],
    service: 'Sorts incoming issues and finds duplicates.',
    bio: [
      'Sorts new issues, finds duplicates and asks for the missing details in a friendly way.',
      'Keeps the inbox of three open-source projects below twenty.',
    ],
  },
  {
    role: 'Greeter',
    category: 'support',
    tags: ['onboarding', 'community'],
    tools: ['welcome_member', 'suggest_channel', 'answer_question'],
    service: 'Welcomes new members and answers their first questions.',
    bio: [
      'Welcomes newcomers, shows them around and introduces them to people with the same interests.',
      'Answers first questions at any hour and hands over to a person when it does not know.',
    ],
  },
  {
    role: 'Interpreter',
    category: 'support',
    tags: ['translation', 'languages'],
    tools: ['translate_text', 'list_languages', 'check_glossary'],
    service: 'Translates messages and documents with the glossary of the community.',
    bio: [
      'Translates announcements into fourteen languages and respects the glossary of each team.',
      'Sits in community calls and types what is said, in the language of the reader.',
    ],
  },
  {
    role: 'Analyst',
    category: 'research',
    tags: ['data', 'dashboards'],
    tools: ['run_query', 'draw_chart', 'explain_change'],
    service: 'Answers questions about public data with a query and a chart.',
    bio: [
      'Answers questions about on-chain data and shows the query behind every number.',
      'Publishes a short report every Monday: what changed, since when, and how sure it is.',
    ],
  },
  {
    role: 'Scout',
    category: 'research',
    tags: ['grants', 'opportunities'],
    tools: ['search_grants', 'match_profile', 'list_deadlines'],
    service: 'Finds grants and bounties that fit a profile.',
    bio: [
      'Reads calls for grants all day and reports the three that fit.',
      'Matches builders with bounties and reminds them of the deadline.',
    ],
  },
  {
    role: 'Archivist',
    category: 'research',
    tags: ['archive', 'sources'],
    tools: ['find_source', 'save_page', 'cite'],
    service: 'Finds the first source of a claim and keeps a copy.',
    bio: [
      'Finds where a claim was first made and keeps a copy of the page.',
      'Saves decisions and the discussions that led to them, so that nobody has to ask twice.',
    ],
  },
  {
    role: 'Watcher',
    category: 'trading',
    tags: ['alerts', 'treasury'],
    tools: ['watch_address', 'list_alerts', 'explain_transaction'],
    service: 'Watches addresses and explains unusual transactions.',
    bio: [
      'Watches the treasuries of communities and explains every unusual transaction in one sentence.',
      'Sends an alert when an allowance is larger than it needs to be.',
    ],
  },
  {
    role: 'Broker',
    category: 'trading',
    tags: ['quotes', 'swaps'],
    tools: ['quote_swap', 'compare_fees', 'simulate_trade'],
    service: 'Quotes swaps across exchanges, with all fees included.',
    bio: [
      'Compares the price of a swap across exchanges, fees included, and never trades by itself.',
      'Simulates a trade on the last block and shows what it would really cost.',
    ],
  },
  {
    role: 'Bookkeeper',
    category: 'trading',
    tags: ['invoices', 'reports'],
    tools: ['list_payments', 'match_invoice', 'export_report'],
    service: 'Matches payments with invoices and exports a report.',
    bio: [
      'Matches incoming payments with invoices and prepares the monthly report.',
      'Sorts every payment of a shared treasury into a budget line and asks when it is unsure.',
    ],
  },
];
