// Whether a value is what its schema says: answers in development mode and in the tests, records on their way in.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Operation } from './operation.ts';

/** Whether a value fits a schema, compiled once. */
export const schemaFits = (schema: TSchema): ((value: unknown) => boolean) => {
  const validator = Compile(schema);
  return (value) => validator.Check(value);
};

/** The first problem of a value with its schema, or null. */
const schemaCheck = (schema: TSchema): ((value: unknown) => string | null) => {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return null;
    const [first] = validator.Errors(value);
    return `${first?.instancePath.slice(1).replaceAll('/', '.') || 'the record'} ${first?.message}`;
  };
};

/** Throws unless the JSON text has exactly the keys and types that the operation names. */
export const contractCheck = (operation: Operation): ((data: string) => void) => {
  const problemOf = schemaCheck(operation.data);
  return (data) => {
    const problem = problemOf(JSON.parse(data));
    if (problem !== null) throw new Error(`${operation.id} broke its contract: ${problem}`);
  };
};
