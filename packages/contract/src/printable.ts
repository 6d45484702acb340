// Text of others on an operator's terminal: what could move the cursor, hide or turn text around is shown as an escape.

/** Control and format characters, halves of surrogate pairs, and the separators that terminals break lines at. */
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** One line of text that a terminal shows and does not obey. */
export const printable = (text: string): string =>
  text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
