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

/** The first problem of a text, or null. */
const scan = (text: string): JsonProblem | null => {
  let at = 0;
  /** The enclosing objects and arrays: the keys read so far of an object, null for an array. */
  const around: (Set<string> | null)[] = [];
  const problem = (reason: string, place = at): JsonProblem => ({
    column: [...text.slice(0, place)].length + 1,
    reason,
  });
  const skipWhitespace = () => {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at += 1;
  };

  /** Reads a string from its opening quote. Returns its text, or a problem. */
  const readString = (): string | JsonProblem => {
    const began = at;
    let half = -1; // index of a first half of a surrogate pair
    for (at += 1; at < text.length; ) {
      const place = at;
      let code = text.charCodeAt(at);
      if (code === 0x22) {
        if (half !== -1) break;
        at += 1;
        return JSON.parse(text.slice(began, at)) as string;
      }
      if (code < 0x20) return problem(`${shown(code)} is not allowed in text; write it as an escape`);
      at += 1;
      if (code === 0x5c) {
        const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
        escaped.lastIndex = at;
        const [found] = escaped.exec(text) ?? [];
        if (found === undefined)
          return problem('an escape must be one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX', place);
        at += found.length;
        code = found.length > 1 ? Number.parseInt(found.slice(1), 16) : ({ b: 0x08, f: 0x0c }[found] ?? 0x20);
      }
      if (isControl(code))
        return problem(
          `a text has the control character ${shown(code)}; only tab, newline and carriage return are allowed`,
          place,
        );
      const isSecond = code >= 0xdc00 && code <= 0xdfff;
      if (isSecond !== (half !== -1)) {
        at = half === -1 ? place : half;
        return problem('a text has half of a surrogate pair; write the whole character');
      }
      half = code >= 0xd800 && code <= 0xdbff ? place : -1;
    }
    if (half !== -1) return problem('a text has half of a surrogate pair; write the whole character', half);
    return problem('a text does not end; write a quotation mark', began);
  };
  const readNumber = (): JsonProblem | null => {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = at;
    const [found = ''] = number.exec(text) ?? [];
    const value = Number(found);
    if (found === '')
      return problem(text[at] === '\ufeff' ? 'there is a byte order mark, U+FEFF; remove it' : 'a value was expected');
    if (!Number.isFinite(value)) return problem(`the number ${found.slice(0, 30)} is too large`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return problem(`the integer ${found.slice(0, 30)} is beyond 2^53-1`);
    at += found.length;
    return null;
  };
  /** Reads a key of an object and its colon. */
  const readKey = (keys: Set<string>): JsonProblem | null => {
    skipWhitespace();
    if (text[at] !== '"') return problem('a key in quotation marks was expected');
    const began = at;
    const key = readString();
    if (typeof key !== 'string') return key;
    if (keys.has(key)) return problem(`the key ${JSON.stringify(key).slice(0, 100)} is given twice`, began);
    keys.add(key);
    skipWhitespace();
    if (text[at] !== ':') return problem('a colon was expected');
    at += 1;
    return null;
  };

  for (;;) {
    skipWhitespace();
    const first = text[at] ?? '';
    if (first === '{' || first === '[') {
      if (around.length === mostLevels) return problem(`there are more than ${mostLevels} levels`);
      const close = first === '{' ? '}' : ']';
      around.push(first === '{' ? new Set() : null);
      at += 1;
      skipWhitespace();
      if (text[at] !== close) {
        const keys = around.at(-1);
        const wrong = keys ? readKey(keys) : null;
        if (wrong) return wrong;
        continue;
      }
    } else if (first === '"') {
      const string = readString();
      if (typeof string !== 'string') return string;
    } else if (/^(true|false|null)/.test(text.slice(at, at + 5))) at += first === 'f' ? 5 : 4;
    else {
      const wrong = readNumber();
      if (wrong) return wrong;
    }
    // After a value: the ends of enclosing objects and arrays, or the next value.
    for (;;) {
      skipWhitespace();
      const keys = around.at(-1);
      if (keys === undefined) return at < text.length ? problem('nothing more was expected') : null;
      if (text[at] === (keys ? '}' : ']')) {
        around.pop();
        at += 1;
        continue;
      }
      if (text[at] !== ',') return problem(`a comma or ${keys ? '}' : ']'} was expected`);
      at += 1;
      const wrong = keys ? readKey(keys) : null;
      if (wrong) return wrong;
      break;
    }
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
    return scan(text) ?? { column: 1, reason: 'the line is not JSON' };
  }
  return scan(text) ?? { value };
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
