// The built files of the pages (release/assets.ts): scripts of the reference, and the documentation. The list of files is
// read once, at the start, and no other file can be requested. Each file is read when it is first requested, and kept:
// all of them together are smaller than two responses of the largest.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Body, Encoding } from '../http/encoding.ts';

/** Beside src, in a checkout and in an installation alike. */
export const assetsFolder = new URL('../../assets/', import.meta.url);
const endings: Readonly<Record<Encoding, string>> = { identity: '', gzip: '.gz', br: '.br' };

interface BuiltFile {
  /** Under the path of its pages. */
  path: string;
  /** Named by the hash of its content. */
  name: string;
  type: string;
}
export interface Manifest {
  /** In the order in which the page loads them. */
  reference: BuiltFile[];
  docs: BuiltFile[];
}

/** Reads a file once, also for requests that come at the same time. A failed read is tried again. */
const keptFile = (place: (encoding: Encoding) => URL) => {
  const kept = new Map<Encoding, Promise<Buffer>>();
  return (encoding: Encoding): Promise<Buffer> => {
    let bytes = kept.get(encoding);
    if (bytes === undefined) {
      bytes = readFile(place(encoding));
      kept.set(encoding, bytes);
      bytes.catch(() => kept.delete(encoding));
    }
    return bytes;
  };
};

/** The files of one part by their path; none when nothing was built. */
export const readFiles = (folder: URL, part: keyof Manifest): ReadonlyMap<string, Body> => {
  const manifest = new URL('manifest.json', folder);
  if (!existsSync(manifest)) return new Map();
  const { [part]: built } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  return new Map(
    built.map(({ path, name, type }) => [
      path,
      {
        type,
        etag: `"${name}"`,
        offered: ['br', 'gzip'],
        bytes: keptFile((encoding) => new URL(name + endings[encoding], folder)),
      },
    ]),
  );
};
