// Content encodings (gap G19): which one a caller gets, the ETag of each, bodies for one response and constant bodies.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib';
import { etagOf } from './cache.ts';
import { jsonType } from './headers.ts';

export type Encoding = 'identity' | 'gzip' | 'br';

/** A body, and the encodings in which it can be sent. */
export interface Body {
  type: string;
  /** Of the uncompressed bytes; the tags of the other encodings are derived from it. */
  etag: string;
  /** In addition to the uncompressed bytes. */
  offered: readonly Encoding[];
  /** A promise where making or reading the bytes takes long. */
  bytes: (encoding: Encoding) => Buffer | Promise<Buffer>;
}

/** The order among encodings that the caller weighs equally. */
const smallestFirst: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** RFC 9110, 8.4.1.3. */
const aliases: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/** The names of a header that are read; a caller could send thousands. */
const mostNames = 32;
/** The weight of each name in an Accept header (RFC 9110, 12.4.2). A malformed weight counts as 0. */
const weightsIn = (accept: string): Map<string, number> =>
  new Map(
    accept.split(',', mostNames).map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      const value = weight === undefined ? 1 : Number(weight.slice(2) || Number.NaN);
      return [aliases[name] ?? name, value >= 0 && value <= 1 ? value : 0];
    }),
  );

/** The offered encoding that the caller prefers; uncompressed when none is acceptable, as an error would be no help. */
export const chooseEncoding = (acceptEncoding: string | undefined, offered: readonly Encoding[]): Encoding => {
  if (acceptEncoding === undefined || offered.length === 0) return 'identity';
  const weights = weightsIn(acceptEncoding);
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const candidates = smallestFirst.filter(
    (encoding) => encoding === 'identity' || (offered.includes(encoding) && weightOf(encoding) > 0),
  );
  return candidates.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best));
};

/** Derived from the tag of the uncompressed body, so that a 304 needs no compression. */
export const encodedEtag = (etag: string, encoding: Encoding): string =>
  encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`;

/** Level 6 saves a tenth more, and takes up to three times as long (docs/scale.md). */
const gzipOptions = { level: 1 };
/** Larger bodies are compressed on another thread. Smaller ones block the event loop for 0.2 ms at most, and the
 * hand-over would cost half of that. */
const offThreadBytes = 32_768;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** A body for one response: gzip from a minimum size on, if the caller accepts it; 0: never. */
export const freshBody = (bytes: Buffer, compressFromBytes: number): Body => ({
  type: jsonType,
  etag: etagOf(bytes),
  offered: compressFromBytes > 0 && bytes.length >= compressFromBytes ? ['gzip'] : [],
  bytes: (encoding) => {
    if (encoding === 'identity') return bytes;
    return bytes.length < offThreadBytes ? gzipSync(bytes, gzipOptions) : gzipAsync(bytes, gzipOptions);
  },
});

/** Quality 9 takes 50 ms for the OpenAPI document; 11 takes half a second for a tenth less. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** A body that does not change while the process runs: each encoding is made once, when it is first requested. */
export const cachedBody = (bytes: Buffer, type: string): Body => {
  const made = new Map<Encoding, Promise<Buffer>>();
  const make = (encoding: Encoding) => (encoding === 'br' ? brotliAsync(bytes, brotliOptions) : gzipAsync(bytes));
  return {
    type,
    etag: etagOf(bytes),
    offered: ['br', 'gzip'],
    bytes: (encoding) => {
      if (encoding === 'identity') return bytes;
      const known = made.get(encoding) ?? make(encoding);
      made.set(encoding, known);
      return known;
    },
  };
};
