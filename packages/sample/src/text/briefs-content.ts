// Bounties that ask for words: guides, videos, translations, interviews; and the bounty of the cast.
import type { Brief } from './brief.ts';
import { cleanUrl, concepts, languages, products } from './brief.ts';

/** The completed bounty with three winners that every world has. */
export const guideBrief: Brief = {
  category: 'CONTENT',
  subjects: ['the first week in the community'],
  titles: ['Write the guide'],
  short: ['A guide to the first week in the community: what to read, who to ask and what to build first.'],
  why: [
    'Every week about forty people join the community, and most of them ask the same five questions. The answers exist, but they are spread over old threads, pinned messages and the memory of a few patient members. {sponsor} wants to put them into one guide.',
  ],
  wanted: [
    'A guide to the first seven days, from opening a wallet to the first pull request',
    'Between 1,500 and 3,000 words, in plain English',
    'Screenshots where a screen is hard to describe',
    'A list of people and channels that answer questions',
  ],
  judged: [
    'Could your neighbour follow it without help?',
    'Is every step still true today?',
    'Is it pleasant to read?',
  ],
  fields: [
    { label: 'Guide', type: 'url', required: true },
    { label: 'Source', type: 'repository', required: false },
  ],
  prizes: [1500],
  answers: {
    titles: [
      'Seven days, seven doors: a guide to the first week',
      'The first week, one small step a day',
      'A newcomer’s guide, written by a newcomer',
      'What I wish I had known in my first week',
      'The guide in twelve questions',
      'A guide to the first week, with checklists',
      'From hello to the first pull request: a guide',
      'The illustrated guide to week one',
      'A field guide for new members',
      'Your first week: a guide for people with little time',
      'The guide my mentor gave me, written down',
    ],
    texts: [
      'The guide follows one new member through the first week in the community, one short chapter a day.',
      'Each chapter of the guide ends with something to do and a person to ask.',
      'I asked twelve members what confused them in their first week and wrote the guide around their answers.',
      'The guide starts with a checklist for the first week; every line links to a page with details.',
    ],
  },
};

export const contentBriefs: readonly Brief[] = [
  {
    category: 'CONTENT',
    subjects: concepts,
    titles: ['Write a guide to {subject} for {audience}'],
    short: [
      'A practical guide to {subject} that {audience} can read in fifteen minutes.',
      'Explain {subject} to {audience}, with examples they know from everyday life.',
    ],
    why: [
      'Most texts about {subject} are written for experts. {sponsor} is looking for a guide that {audience} will read to the end.',
      'Our support team answers questions about {subject} every day. A good guide would help {audience} more than another help page.',
    ],
    wanted: [
      'Between 1,200 and 2,500 words in plain English',
      'At least two worked examples',
      'A short glossary at the end',
      'Sources for every claim that can be checked',
    ],
    judged: ['Clarity', 'Correctness', 'How well it fits its readers', 'Original examples'],
    fields: [
      { label: 'Article', type: 'url', required: true },
      { label: 'Reading time', type: 'text', required: false, values: ['9 minutes', '12 minutes', '15 minutes'] },
    ],
    prizes: [400, 600, 750],
    answers: {
      titles: [
        '{Subject} without jargon',
        'A kitchen-table guide to {subject}',
        '{Subject}: what {audience} really need to know',
        '{Subject} in seven questions',
      ],
      texts: [
        'My guide explains {subject} with the help of a fictional bakery that grows from one shop to three.',
        'The article introduces {subject} through the mistakes that {audience} make most often.',
        'Three members of the intended audience read the draft about {subject}, and every sentence they stumbled over was rewritten.',
      ],
    },
  },
  {
    category: 'CONTENT',
    subjects: concepts,
    titles: ['Record a short video about {subject}'],
    short: ['Five minutes or less about {subject}, with subtitles.'],
    why: [
      'People learn about {subject} from videos, and most of those are forty minutes long. {sponsor} would like to show a short one on its welcome page.',
      'We need a video about {subject} that can be shown at the start of a meetup.',
    ],
    wanted: ['Three to five minutes', 'Subtitles in English', 'No stock footage and no music under speech'],
    judged: ['A clear story', 'Good sound', 'Correct facts', 'Is it fun to watch?'],
    fields: [
      { label: 'Video', type: 'url', required: true },
      { label: 'Length', type: 'text', required: true, values: ['3:20', '4:05', '4:48', '5:00'] },
    ],
    prizes: [500, 800],
    answers: {
      titles: [
        '{Subject} in four minutes',
        '{Subject}, drawn on a napkin',
        'My grandmother explains {subject}',
        'A walk through {subject}',
      ],
      texts: [
        'The video about {subject} was recorded in one take at a market stall.',
        'Paper cut-outs explain {subject}; the whole set fits on a desk.',
        'I explain {subject} to my sister, and she asks the questions that viewers would ask.',
      ],
    },
  },
  {
    category: 'CONTENT',
    subjects: languages,
    titles: ['Translate the {product} documentation into {subject}', 'Localise the {product} for {subject} speakers'],
    short: ['Bring the texts of our {product} to people who read {subject}.'],
    why: [
      'A third of the people who use our {product} read {subject}, and all of its texts are in English. {sponsor} wants to change that with the help of native speakers.',
    ],
    wanted: [
      'All pages under “Getting started”, about 6,000 words',
      'A glossary of at least thirty terms',
      'Screenshots in {subject} where there are any',
    ],
    judged: ['Natural {subject}', 'Consistent terms', 'Complete coverage'],
    fields: [
      { label: 'Pull request', type: 'url', required: true },
      { label: 'Glossary', type: 'url', required: false },
    ],
    prizes: [600, 900],
    answers: {
      titles: [
        '{Subject} translation with a glossary of 48 terms',
        'Complete {subject} documentation',
        '{Subject} for the {product}, reviewed by two native speakers',
        'A {subject} edition that reads like an original',
      ],
      texts: [
        'The {subject} translation covers all pages; two other native speakers have read it.',
        'Where {subject} has no established term, the glossary gives the reasons for my choice.',
        'I tested the {subject} pages of the {product} with four people who had never seen the English ones.',
      ],
    },
  },
  {
    category: 'CONTENT',
    subjects: products,
    titles: ['Interview three teams that build on a {subject}', 'Portrait of a team and its {subject}'],
    short: ['Case studies of people who rely on a {subject} every day.'],
    why: [
      'We know how many people use our {subject}, and little about what they do with it. {sponsor} would like to publish their stories.',
    ],
    wanted: ['Interviews with at least three people', 'Between 1,000 and 2,000 words', 'Photos with permission'],
    judged: ['Concrete details', 'Honest criticism', 'Good questions'],
    fields: [cleanUrl],
    prizes: [350, 500],
    answers: {
      titles: [
        'Three teams, one {subject}',
        'What a {subject} changed for a small shop',
        'A year with a {subject}: notes from a cooperative',
        'Behind the {subject}: the people who keep it running',
      ],
      texts: [
        'I visited three teams and asked them what their {subject} does well and what it does not.',
        'The story follows a cooperative from its first day with the {subject} to its thousandth payment.',
        'Each interview about the {subject} ends with one thing that the team would change.',
      ],
    },
  },
];
