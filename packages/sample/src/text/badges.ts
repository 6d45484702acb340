// Badges that are not tied to a contest: what they are called, and for what they are given.

export interface BadgeKind {
  category: 'achievement' | 'event' | 'gift';
  /** Soulbound badges cannot be passed on. */
  isSbt: boolean;
  firsts: readonly string[];
  seconds: readonly string[];
  descriptions: readonly string[];
}

export const badgeKinds: readonly BadgeKind[] = [
  {
    category: 'achievement',
    isSbt: true,
    firsts: ['First', 'Tenth', 'Fiftieth', 'Hundredth', 'Thousandth'],
    seconds: [
      'Pull Request',
      'Code Review',
      'Release',
      'Bug Report',
      'Translation',
      'Answer',
      'Launch',
      'Commit',
      'Merged Fix',
      'Lesson',
    ],
    descriptions: [
      'For members who have reached their {name}. It is given automatically, once.',
      'A small thank-you for the {name} of a member. It cannot be transferred.',
    ],
  },
  {
    category: 'event',
    isSbt: false,
    firsts: [
      'Lagos',
      'Berlin',
      'Bengaluru',
      'Lisbon',
      'Seoul',
      'Mexico City',
      'Nairobi',
      'Toronto',
      'Tbilisi',
      'Jakarta',
      'Buenos Aires',
      'Helsinki',
    ],
    seconds: ['Meetup', 'Hack Night', 'Summit', 'Unconference', 'Workshop', 'Winter School'],
    descriptions: [
      'Everyone who attended the {name} can claim this badge at the door.',
      'A souvenir of the {name}: two days, forty talks and one very long table.',
    ],
  },
  {
    category: 'achievement',
    isSbt: true,
    firsts: ['Patient', 'Careful', 'Tireless', 'Generous', 'Fearless', 'Trusted', 'Curious'],
    seconds: ['Mentor', 'Reviewer', 'Maintainer', 'Translator', 'Tester', 'Moderator', 'Organiser', 'Archivist'],
    descriptions: [
      'Given by other members to a {name}. Three members must agree.',
      'For a {name} who has helped the community for more than a year.',
    ],
  },
  {
    category: 'gift',
    isSbt: false,
    firsts: ['Paper', 'Copper', 'Glass', 'Clay', 'Linen', 'Brass', 'Walnut', 'Silver'],
    seconds: ['Boat', 'Crane', 'Lantern', 'Acorn', 'Teacup', 'Whale', 'Kite', 'Compass'],
    descriptions: [
      'A {name}, to be given away. Each one is drawn by hand and numbered.',
      'Members give the {name} to people who made their week better.',
    ],
  },
];

export const gifts: readonly string[] = [
  'Paper crane',
  'Cup of tea',
  'Sunflower',
  'Rubber duck',
  'Slice of cake',
  'Lucky pebble',
  'Warm scarf',
  'Ticket to the moon',
  'Box of dumplings',
  'Hand-drawn card',
  'Tiny cactus',
  'Jar of honey',
  'Vinyl record',
  'Golden paperclip',
  'Snow globe',
  'Bag of coffee',
  'Friendship bracelet',
  'Umbrella',
];
