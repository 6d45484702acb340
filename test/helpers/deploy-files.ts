// Texts for operators (deploy/ and the docs) with the example's paths, ports and addresses replaced by a test's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export type Replacement = readonly [from: string, to: string];

/** Fails if a text to replace is missing; otherwise the example's value would remain unnoticed. */
export const replaceEach = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((all, [from, to]) => {
    assert.ok(all.includes(from), `this is not in the text: ${from}`);
    return all.replaceAll(from, () => to);
  }, text);

/** A file of deploy/. */
export const deployFile = (path: string, replacements: readonly Replacement[] = []): string =>
  replaceEach(readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8'), replacements);
