// Checks values against their schemas: responses in development mode and in tests, and incoming records.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Operation } from './operation.ts';

/** Whether a value fits a schema, compiled once. */
export const schemaFits = (schema: TSchema): ((value: unknown) => boolean) => {
  const validator = Compile(schema);
  return (value) => validator.Check(value);
};

/** The first violation of the schema by a value, or null. */
const schemaCheck = (schema: TSchema): ((value: unknown) => string | null) => {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return null;
    const [first] = validator.Errors(value);
    return `${first?.instancePath.slice(1).replaceAll('/', '.') || 'the record'} ${first?.message}`;
  };
};

/** Throws unless the JSON text has exactly the keys and types of the operation's schema. */
export const contractCheck = (operation: Operation): ((data: string) => void) => {
  const problemOf = schemaCheck(operation.data);
  return (data) => {
    const problem = problemOf(JSON.parse(data));
    if (problem !== null) throw new Error(`${operation.id} broke its contract: ${problem}`);
  };
};
