// One request for each operation, from the contract's examples, with the API key that it needs.

import { operations } from '../packages/contract/src/index.ts';
import type { Operation } from '../packages/contract/src/operation.ts';
import { urlOf } from '../packages/contract/src/url.ts';
import { demoKeys } from '../packages/sample/src/cast.ts';

export const examples = Object.values<Operation>(operations).map(({ id, example, exampleCaller }) => ({
  operation: id,
  path: urlOf('', id, example),
  ...(exampleCaller === undefined ? {} : { token: demoKeys[exampleCaller].key }),
}));
