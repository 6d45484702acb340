// Texts that are written for an operator, of deploy/ and of the docs, with the paths, ports and addresses of a test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export type Replacement = readonly [from: string, to: string];

/** What is not in the text cannot be replaced: it would stay the example's. */
export const replaceEach = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((all, [from, to]) => {
    assert.ok(all.includes(from), `this is not in the text: ${from}`);
    return all.replaceAll(from, () => to);
  }, text);

/** A file of deploy/. */
export const deployFile = (path: string, replacements: readonly Replacement[] = []): string =>
  replaceEach(readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), 'utf8'), replacements);
