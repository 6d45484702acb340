// Parses incoming JSON strictly (gap G18): what JSON.parse would silently repair, guess or drop is a problem with its
// column. JSON.parse does the work; only a text that may have a problem is scanned again.

export interface JsonProblem {
  /** In characters, from 1. */
  column: number;
  reason: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const mostLevels = 100;

/** Control characters, raw or escaped, and escaped halves of surrogate pairs. Raw ones below U+0020 are not JSON. */
const oddText = /[\x7f-\x9f]|\\[bf]|\\u(?:00[01][0-9a-fA-F]|007[fF]|00[89][0-9a-fA-F]|[dD][89a-fA-F])/;
/** JSON.parse rounds large integers and makes 1e400 infinite. */
const oddNumber = /\d{16}|\d[eE][+-]?\d/;
/** Matches each key: more matches than keys when a key is given twice, or when a text looks like a key. */
const likeKeys = /"\s*:/g;

const keysOf = (value: unknown, level: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (level >= mostLevels) return Number.NaN;
  let keys = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) keys += keysOf(inner, level + 1);
  return keys;
};
const mayBeOdd = (text: string, value: unknown): boolean =>
  oddText.test(text) || oddNumber.test(text) || (text.match(likeKeys)?.length ?? 0) !== keysOf(value, 0);

const shown = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f);

/** Where the scan of a text has come to. */
interface Scan {
  text: string;
  at: number;
}
class Found extends Error {
  readonly problem: JsonProblem;
  constructor({ text }: Scan, reason: string, at: number) {
    super(reason);
    this.problem = { column: [...text.slice(0, at)].length + 1, reason };
  }
}
const fail = (scan: Scan, reason: string, at = scan.at): never => {
  throw new Found(scan, reason, at);
};

const skipWhitespace = (scan: Scan) => {
  while (' \t\n\r'.includes(scan.text[scan.at] ?? 'x')) scan.at += 1;
};
const expect = (scan: Scan, character: string, what: string) => {
  skipWhitespace(scan);
  if (scan.text[scan.at] !== character) fail(scan, `${what} was expected`);
};

/** Reads a character of a string, or an escape; returns its code unit. */
const readUnit = (scan: Scan): number => {
  const { text } = scan;
  const place = scan.at;
  const code = text.charCodeAt(place);
  if (code < 0x20) fail(scan, `${shown(code)} is not allowed in text; write it as an escape`);
  scan.at += 1;
  if (code !== 0x5c) return code;
  const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
  escaped.lastIndex = scan.at;
  const [found] = escaped.exec(text) ?? [];
  if (found === undefined)
    return fail(scan, 'an escape must be one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX', place);
  scan.at += found.length;
  return found.length > 1 ? Number.parseInt(found.slice(1), 16) : ({ b: 0x08, f: 0x0c }[found] ?? 0x20);
};

/** Reads a string from its opening quote. */
const readString = (scan: Scan): string => {
  const { text } = scan;
  const began = scan.at;
  const halfOfPair = 'a text has half of a surrogate pair; write the whole character';
  let half = -1; // index of a first half of a surrogate pair
  for (scan.at += 1; scan.at < text.length; ) {
    const place = scan.at;
    if (text[place] === '"') {
      if (half !== -1) break;
      scan.at += 1;
      return JSON.parse(text.slice(began, scan.at)) as string;
    }
    const code = readUnit(scan);
    if (isControl(code))
      fail(
        scan,
        `a text has the control character ${shown(code)}; only tab, newline and carriage return are allowed`,
        place,
      );
    const isSecond = code >= 0xdc00 && code <= 0xdfff;
    if (isSecond !== (half !== -1)) fail(scan, halfOfPair, half === -1 ? place : half);
    half = code >= 0xd800 && code <= 0xdbff ? place : -1;
  }
  return half === -1 ? fail(scan, 'a text does not end; write a quotation mark', began) : fail(scan, halfOfPair, half);
};

const readNumber = (scan: Scan) => {
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  number.lastIndex = scan.at;
  const [found = ''] = number.exec(scan.text) ?? [];
  const value = Number(found);
  const isMark = scan.text[scan.at] === '\ufeff';
  if (found === '') fail(scan, isMark ? 'there is a byte order mark, U+FEFF; remove it' : 'a value was expected');
  if (!Number.isFinite(value)) fail(scan, `the number ${found.slice(0, 30)} is too large`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    fail(scan, `the integer ${found.slice(0, 30)} is beyond 2^53-1`);
  scan.at += found.length;
};

/** Reads an object or an array inside `level` others, from its opening bracket. */
const readInside = (scan: Scan, level: number) => {
  if (level === mostLevels) fail(scan, `there are more than ${mostLevels} levels`);
  const isObject = scan.text[scan.at] === '{';
  const close = isObject ? '}' : ']';
  const keys = new Set<string>();
  const readKey = () => {
    expect(scan, '"', 'a key in quotation marks');
    const began = scan.at;
    const key = readString(scan);
    if (keys.has(key)) fail(scan, `the key ${JSON.stringify(key).slice(0, 100)} is given twice`, began);
    keys.add(key);
    expect(scan, ':', 'a colon');
    scan.at += 1;
  };
  scan.at += 1;
  skipWhitespace(scan);
  for (let isFirst = true; scan.text[scan.at] !== close; isFirst = false) {
    if (!isFirst) {
      expect(scan, ',', `a comma or ${close}`);
      scan.at += 1;
    }
    if (isObject) readKey();
    readValue(scan, level + 1);
    skipWhitespace(scan);
  }
  scan.at += 1;
};

const readValue = (scan: Scan, level: number) => {
  skipWhitespace(scan);
  const first = scan.text[scan.at] ?? '';
  if (first === '{' || first === '[') readInside(scan, level);
  else if (first === '"') readString(scan);
  else if (/^(true|false|null)/.test(scan.text.slice(scan.at, scan.at + 5))) scan.at += first === 'f' ? 5 : 4;
  else readNumber(scan);
};

/** The first problem of a text, or null. */
const scanText = (text: string): JsonProblem | null => {
  const scan = { text, at: 0 };
  try {
    readValue(scan, 0);
    skipWhitespace(scan);
    return scan.at < text.length ? fail(scan, 'nothing more was expected') : null;
  } catch (error) {
    if (error instanceof Found) return error.problem;
    throw error;
  }
};

/** The column of the first byte that is not UTF-8. */
const wrongByte = (bytes: Buffer): JsonProblem => {
  // Node decodes such a byte as U+FFFD. A text may also contain that character itself.
  const replacement = Buffer.from('\ufffd');
  const text = bytes.toString('utf8');
  let at = text.indexOf('\ufffd');
  for (let [from, place] = [0, 0]; at !== -1; at = text.indexOf('\ufffd', from)) {
    place += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(place, place + replacement.length).equals(replacement)) break;
    place += replacement.length;
    from = at + 1;
  }
  return { column: [...text.slice(0, at)].length + 1, reason: 'a byte is not UTF-8' };
};

export const parseStrictly = (bytes: Buffer): { value: unknown } | JsonProblem => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return wrongByte(bytes);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (!mayBeOdd(text, value)) return { value };
  } catch {
    return scanText(text) ?? { column: 1, reason: 'the line is not JSON' };
  }
  return scanText(text) ?? { value };
};

/** A value without what is nested too deeply for functions that call themselves: null instead. */
const cutAt = (value: unknown, levels: number): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.map((inner) => cutAt(inner, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutAt(inner, levels - 1)]));
};

/** The first value of a text: without what follows it, or closed where the text breaks off. */
const firstValue = (text: string): string => {
  const closers: string[] = [];
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (isInString) {
      if (letter === '\\') at += 1;
      else if (letter === '"') isInString = false;
    } else if (letter === '"') isInString = true;
    else if (letter === '{' || letter === '[') closers.push(letter === '{' ? '}' : ']');
    else if (letter === '}' || letter === ']') {
      closers.pop();
      if (closers.length === 0) return text.slice(0, at + 1);
    }
  }
  const rest = isInString ? '"' : '';
  return text.replace(isInString ? /$^/ : /[,\s]+$/, '') + rest + closers.reverse().join('');
};

/** What can be read of malformed bytes, or undefined: enough to find out which row they are about. */
export const parseLoosely = (bytes: Buffer): unknown => {
  const text = bytes.toString().replaceAll(/[\0\ufeff]/g, ''); // a mark of the byte order, or UTF-16
  for (const read of [text, firstValue(text)])
    try {
      return cutAt(JSON.parse(read), mostLevels);
    } catch {
      // The next one.
    }
  return undefined;
};
