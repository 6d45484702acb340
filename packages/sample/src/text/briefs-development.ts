// Bounties that ask for code.
import type { Brief } from './brief.ts';
import { concepts, products } from './brief.ts';

const code = { label: 'Repository', type: 'repository', required: true } as const;
const demo = { label: 'Demo', type: 'url', required: false } as const;

export const developmentBriefs: readonly Brief[] = [
  {
    category: 'DEVELOPMENT',
    subjects: ['Go', 'Rust', 'Python', 'Kotlin', 'Swift', 'Elixir', 'PHP', 'Ruby', 'Dart', 'C#', 'Zig', 'Java'],
    titles: ['Write a {subject} client for our {product}'],
    short: ['A small, well-tested {subject} library for our {product}.'],
    why: [
      'Developers ask for a {subject} client about once a week. {sponsor} will adopt the best one, with its author as a maintainer if they like.',
    ],
    wanted: [
      'All public operations, with types',
      'Retries that respect `Retry-After`',
      'Tests that run without network',
      'A README with a first example of at most ten lines',
    ],
    judged: ['Is it idiomatic {subject}?', 'Tests', 'Documentation', 'Few dependencies'],
    fields: [code],
    prizes: [1200, 1800, 2500],
    answers: {
      titles: [
        'A {subject} client without dependencies',
        'Typed {subject} client, 100 % of the operations',
        'An idiomatic {subject} library for the {product}',
        'A {subject} client with pages as iterators',
      ],
      texts: [
        'The {subject} client covers every public operation and has no dependencies.',
        'Pages are iterators, errors are types, and the {subject} code reads like the standard library.',
        'The tests of the {subject} client replay recorded answers, so they run on a train.',
      ],
    },
  },
  {
    category: 'DEVELOPMENT',
    subjects: [
      'reminds a group of unpaid bills',
      'welcomes new members',
      'posts the weekly launches',
      'collects questions for the next call',
      'announces new bounties',
      'translates announcements',
      'schedules meetups across time zones',
      'watches a shared treasury',
      'thanks first-time contributors',
      'summarises long threads',
      'reports failed payments',
      'runs a weekly quiz',
    ],
    titles: ['Build a chat bot that {subject}'],
    short: ['A chat bot that {subject}, easy to host and easy to switch off.'],
    why: [
      'Volunteers do this by hand today. {sponsor} is looking for a bot that {subject} and leaves people in charge.',
    ],
    wanted: [
      'Works in at least one messenger',
      'A single container or binary',
      'A command that shows and deletes everything it has stored',
    ],
    judged: ['Usefulness after one week', 'Privacy', 'Quality of the code'],
    fields: [code, demo],
    prizes: [700, 1000, 1400],
    answers: {
      titles: [
        'A quiet bot that {subject}',
        'The friendly bot that {subject}',
        'A bot in 400 lines that {subject}',
        'A self-hosted bot that {subject}',
      ],
      texts: [
        'The bot {subject} and reads only messages that mention it.',
        'It runs in one container, {subject}, and forgets everything after thirty days.',
        'Two groups have used the bot for a week; it {subject} without a single complaint.',
      ],
    },
  },
  {
    category: 'DEVELOPMENT',
    subjects: [
      'bounty payments',
      'validator uptime',
      'badge holders',
      'launch weeks',
      'contest votes',
      'grant spending',
      'contract upgrades',
      'gas prices',
      'repository activity',
      'agent registrations',
      'member growth',
      'treasury balances',
    ],
    titles: ['Build a public dashboard of {subject}'],
    short: ['A dashboard that shows {subject} to everyone, with the data behind it.'],
    why: [
      'The numbers about {subject} are public, but nobody can read them without writing code. {sponsor} wants a page that anyone can link to.',
    ],
    wanted: ['At least four charts', 'A download of the data behind each chart', 'Loads in two seconds on a phone'],
    judged: ['Correct numbers', 'Clear charts', 'Accessibility', 'Cost of hosting'],
    fields: [{ label: 'Dashboard', type: 'url', required: true }, code],
    prizes: [900, 1300, 2000],
    answers: {
      titles: [
        '{Subject} at a glance',
        'A printable page about {subject}',
        '{Subject}: six charts and their queries',
        'An open dashboard of {subject}',
      ],
      texts: [
        'Six charts show {subject} by week; each one links to its query.',
        'The dashboard of {subject} is a static page that is built once an hour.',
        'All data about {subject} can be downloaded as CSV, with a description of every column.',
      ],
    },
  },
  {
    category: 'DEVELOPMENT',
    subjects: products,
    titles: ['Find and fix accessibility problems in our {subject}', 'Make our {subject} work with a keyboard alone'],
    short: ['Help us to make the {subject} usable for everyone.'],
    why: [
      'A blind member of the community showed our team that the {subject} stops at its second step with a screen reader. {sponsor} would like to fix that properly.',
    ],
    wanted: ['A list of problems with steps to reproduce them', 'Pull requests for at least five of them', 'Tests'],
    judged: ['Impact for users', 'Quality of the fixes', 'Clear reports'],
    fields: [{ label: 'Pull request', type: 'url', required: true }, code],
    prizes: [800, 1200],
    answers: {
      titles: [
        'Seventeen fixes for the {subject}',
        'The {subject}, tested with a screen reader',
        'A {subject} without a mouse',
        'Focus order and labels for the {subject}',
      ],
      texts: [
        'I used the {subject} with a screen reader for a day and fixed what stopped me.',
        'Every dialog of the {subject} can now be reached, understood and closed with a keyboard.',
        'The report lists 23 problems of the {subject}; my pull requests fix 17 of them and add tests.',
      ],
    },
  },
  {
    category: 'DEVELOPMENT',
    subjects: concepts,
    titles: ['Make a starter project that shows {subject}'],
    short: ['A small repository that people can clone to learn about {subject}.'],
    why: [
      'Reading about {subject} is one thing, running code is another. {sponsor} wants a starter project that works after one command.',
    ],
    wanted: ['Runs after one command', 'Less than 500 lines of code', 'Comments that say why', 'A test for each step'],
    judged: ['Time to the first result', 'Readable code', 'Correctness'],
    fields: [code, demo],
    prizes: [500, 700, 900],
    answers: {
      titles: [
        '{Subject} in 300 lines',
        'Clone, run, learn: {subject}',
        'A tiny project about {subject}',
        '{Subject}, one commit at a time',
      ],
      texts: [
        'The repository shows {subject} in seven commits; each of them runs.',
        'One command starts everything, and the README explains {subject} along the way.',
        'I left out frameworks, so that the code about {subject} fits on four pages.',
      ],
    },
  },
  {
    category: 'DEVELOPMENT',
    subjects: products,
    titles: ['Break our {subject} before others do', 'Stress-test the new {subject}'],
    short: ['Load tests, fuzzing and honest reports for our {subject}.'],
    why: [
      'We are about to release a new version of our {subject}. {sponsor} would rather hear about its weaknesses from you than from an attacker.',
    ],
    wanted: ['Reproducible steps for each finding', 'Your tools as source code', 'No tests against production'],
    judged: ['Severity of the findings', 'Reproducibility', 'Suggestions for a fix'],
    fields: [{ label: 'Report', type: 'url', required: true }, code],
    prizes: [1500, 2500, 4000],
    answers: {
      titles: [
        'Nine findings in the {subject}',
        'What happens to the {subject} under load',
        'Fuzzing the {subject} for 72 hours',
        'A race condition in the {subject}, and a fix',
      ],
      texts: [
        'My fuzzer found nine ways to make the {subject} answer with an error that it should not know.',
        'The {subject} stays fast up to 800 requests a second; the report shows what happens after that.',
        'Two of the findings in the {subject} need only a browser; a fix for both is attached.',
      ],
    },
  },
];
