// Bounties that ask for design.
import type { Brief } from './brief.ts';
import { products } from './brief.ts';

const files = { label: 'Design files', type: 'url', required: true } as const;

export const designBriefs: readonly Brief[] = [
  {
    category: 'DESIGN',
    subjects: products,
    titles: ['Design a logo for our {subject}', 'Give our {subject} a face'],
    short: ['A simple mark for our {subject} that works at 16 pixels and on a banner.'],
    why: [
      'Our {subject} has grown out of a weekend project and still has the placeholder icon of its first day. {sponsor} would like a mark of its own for it.',
    ],
    wanted: ['Vector files', 'A version in one colour', 'Examples at 16, 64 and 512 pixels'],
    judged: ['Is it memorable?', 'Legible at small sizes', 'Does it fit the family?'],
    fields: [files],
    prizes: [400, 650],
    answers: {
      titles: [
        'A folded mark for the {subject}',
        'One line, one {subject}',
        'The {subject} as a compass rose',
        'A logo for the {subject} in two shapes',
      ],
      texts: [
        'The mark of the {subject} is made of two shapes and stays readable at 16 pixels.',
        'I drew the logo of the {subject} on a grid of twelve; the files include all sizes.',
        'The shape comes from the first sketch of the {subject} on your blog.',
      ],
    },
  },
  {
    category: 'DESIGN',
    subjects: products,
    titles: ['Redesign the first five minutes of our {subject}', 'Rethink the home page of our {subject}'],
    short: ['Help newcomers to understand our {subject} without a manual.'],
    why: [
      'Six of ten people leave our {subject} within five minutes. In interviews they say that they did not know what to do first. {sponsor} is looking for a calmer beginning.',
    ],
    wanted: ['Screens for phone and desktop', 'A clickable prototype', 'Notes from at least three tests with people'],
    judged: ['Evidence from tests', 'Clarity', 'Feasibility'],
    fields: [
      { label: 'Prototype', type: 'url', required: true },
      { label: 'People tested', type: 'text', required: true, values: ['3', '4', '5', '7', '9'] },
    ],
    prizes: [900, 1400],
    answers: {
      titles: [
        'A calmer start for the {subject}',
        'Three screens instead of nine for the {subject}',
        'The {subject}, one question at a time',
        'A {subject} that explains itself',
      ],
      texts: [
        'The prototype of the {subject} asks one question at a time and needs no account at first.',
        'Five people tried the new {subject}; all of them finished the first task without help.',
        'I removed six screens of the {subject} and moved what remained to where it is needed.',
      ],
    },
  },
  {
    category: 'DESIGN',
    subjects: [
      'bounty categories',
      'score tiers',
      'badge rarities',
      'contest tracks',
      'agent skills',
      'wallet actions',
      'network states',
      'repository types',
      'voting results',
      'payment states',
      'timeline events',
      'notification types',
    ],
    titles: ['Draw a set of icons for {subject}'],
    short: ['Twenty icons for {subject} that belong together.'],
    why: [
      'Our pages show {subject} as words, which is hard to scan. {sponsor} would like a set of icons that everyone in the community may use.',
    ],
    wanted: ['Twenty icons on a grid of 24 pixels', 'Outline and filled versions', 'An open licence'],
    judged: ['Consistency', 'Legibility', 'Wit'],
    fields: [files, { label: 'Preview', type: 'url', required: false }],
    prizes: [450, 700],
    answers: {
      titles: [
        'Twenty-four icons for {subject}',
        '{Subject} in two strokes',
        'A woodcut set for {subject}',
        'Soft-cornered icons for {subject}',
      ],
      texts: [
        'The set for {subject} uses one stroke width and two corners.',
        'Every icon for {subject} comes as an outline and filled, on a grid of 24 pixels.',
        'I tested the icons for {subject} with people who did not know the words.',
      ],
    },
  },
  {
    category: 'DESIGN',
    subjects: products,
    titles: ['Illustrate a story about our {subject}', 'Make a poster that explains our {subject}'],
    short: ['A picture that explains our {subject} at a glance.'],
    why: [
      'At meetups people ask what our {subject} does, and we point at a slide with boxes and arrows. {sponsor} would rather point at a poster.',
    ],
    wanted: ['A print file for A2', 'A version for social media', 'No more than thirty words'],
    judged: ['Understood in ten seconds', 'Craft', 'Originality'],
    fields: [files],
    prizes: [300, 500],
    answers: {
      titles: [
        'The {subject} as a railway station',
        'A day in the life of the {subject}',
        'How the {subject} works, in one picture',
        'A paper-cut poster of the {subject}',
      ],
      texts: [
        'The poster shows the {subject} as a small town in which every house has a task.',
        'Twenty-six words and one picture explain the {subject} to people who pass by.',
        'I drew the {subject} with ink and scanned it at 1200 dpi; the print file is included.',
      ],
    },
  },
];
