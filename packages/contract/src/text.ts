// What texts of requests and of records have in common.

/** In code points, not in UTF-16 code units: as schemas and PostgreSQL count. */
export const lengthOf = (text: string): number => {
  if (!/[\ud800-\udfff]/.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** U+0000 to U+001F and U+007F to U+009F. */
export const controlCharacter = /\p{Cc}/u;

/** Exactly in the form of responses, and a date that exists, of the years 1 to 9999 (gap G16). */
export const isInstant = (text: unknown): text is string => {
  if (typeof text !== 'string' || !/^(?!0000)\d{4}-/.test(text)) return false;
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text;
};
