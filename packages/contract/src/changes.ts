// The parameter of /changes, the feed of public changes.
import { Type } from 'typebox';

export const changesQuery = {
  since: Type.String({
    minLength: 1,
    maxLength: 4000,
    description: 'The cursor of an earlier page; without it, all public records.',
  }),
};
