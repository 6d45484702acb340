// The built files of the reference page (release/assets.ts). The list of files is read once, at the start, and no other
// file is served; the bytes are read from disk for each request.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Body, Encoding } from '../http/encoding.ts';

/** Beside src, in a checkout and in an installation alike. */
export const assetsFolder = new URL('../../assets/', import.meta.url);
const endings: Readonly<Record<Encoding, string>> = { identity: '', gzip: '.gz', br: '.br' };

/** The scripts by name, in the order in which the page loads them; empty when nothing was built. */
export const readFiles = (folder: URL): ReadonlyMap<string, Body> => {
  const manifest = new URL('manifest.json', folder);
  if (!existsSync(manifest)) return new Map();
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as { scripts: string[] };
  return new Map(
    scripts.map((name) => [
      name,
      {
        type: 'text/javascript; charset=utf-8',
        etag: `"${name}"`, // the name has a hash of the content
        offered: ['br', 'gzip'],
        bytes: (encoding) => readFile(new URL(name + endings[encoding], folder)),
      },
    ]),
  );
};
