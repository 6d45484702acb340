// Makes untrusted text safe for a terminal: characters that could move the cursor, or hide or reverse text, are
// escaped.

/** Control and format characters, unpaired surrogates, and the Unicode line and paragraph separators. */
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** One line of text that cannot control the terminal. */
export const printable = (text: string): string =>
  text.replace(unprintable, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
