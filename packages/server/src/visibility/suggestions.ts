// Suggests the public status that a platform probably means by its own word: first by the usual words of other
// platforms, then by spelling. A word that means "hidden" gets no suggestion.
import { nearest } from '@commonhall/contract/nearest';

const ended = ['COMPLETED'];
const running = ['OPEN', 'PUBLISHED', 'LIVE'];
const shown = ['PUBLISHED', 'LIVE', 'OPEN', 'APPROVED'];
const judged = ['REVIEW', 'VOTING'];
const habits = new Map<string, readonly string[]>(
  Object.entries({
    'CLOSED FINISHED DONE ENDED COMPLETE RESOLVED FINAL': ended,
    'ACTIVE ONGOING RUNNING STARTED IN_PROGRESS': running,
    'PUBLISHED PUBLIC VISIBLE LISTED LAUNCHED RELEASED LIVE': shown,
    'ACCEPTED VALID VERIFIED CONFIRMED ENABLED REGISTERED': ['APPROVED', 'ACTIVATED'],
    'WON WINNING FIRST_PLACE': ['WINNER'],
    'SUBMITTED NEW RECEIVED': ['PENDING'],
    'JUDGING REVIEWING IN_REVIEW UNDER_REVIEW EVALUATION': judged,
  }).flatMap(([words, meant]) => words.split(' ').map((word) => [word, meant] as const)),
);
const hidden = new Set(
  `DRAFT REJECTED DECLINED DENIED DELETED REMOVED HIDDEN PRIVATE ARCHIVED SPAM BANNED BLOCKED SUSPENDED CANCELLED
  CANCELED WITHDRAWN PENDING SCHEDULED FLAGGED FAILED PAUSED`.split(/\s+/),
);
/** INACTIVE, DEACTIVATED, UNPUBLISHED and the like are spelt like their opposite. */
const negation = /^(UN|IN|DE|DIS|NON|NOT)/;

export const meansHidden = (word: string): boolean => {
  const upper = word.toUpperCase();
  return hidden.has(upper) || negation.test(upper);
};

export const suggestedWord = (word: string, publicWords: readonly string[]): string | undefined => {
  const upper = word
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
  const sameLetters = publicWords.find((each) => each.toUpperCase() === upper);
  if (sameLetters !== undefined) return sameLetters;
  const usual = habits.get(upper)?.find((each) => publicWords.includes(each));
  if (usual !== undefined) return usual;
  return meansHidden(upper) ? undefined : nearest(word, publicWords);
};
