// Files of deploy/ as an operator copies them, with paths, ports and addresses replaced by plain text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export type Replacement = readonly [from: string, to: string];

/** What is not in the file cannot be replaced. */
export const deployFile = (path: string, replacements: readonly Replacement[] = []): string =>
  replacements.reduce(
    (text, [from, to]) => {
      assert.ok(text.includes(from), `${path} has no ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), 'utf8'),
  );
