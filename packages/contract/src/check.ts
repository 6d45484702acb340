// Checks values against their schemas: responses in development mode and in tests, and incoming records.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { Operation } from './operation.ts';

/** Whether a value fits a schema, compiled once. */
export const schemaFits = (schema: TSchema): ((value: unknown) => boolean) => {
  const validator = Compile(schema);
  return (value) => validator.Check(value);
};

/** `/items/0/sponsor` as `data.items[0].sponsor`. */
const placeOf = (pointer: string): string =>
  `data${pointer.replaceAll(/\/([^/]*)/g, (_, step: string) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))}`;

/** The most telling of the violations: of a union every branch is among them, and a key names the place best. */
const describe = (errors: readonly TLocalizedValidationError[]): string => {
  for (const error of errors) {
    if (error.keyword === 'required')
      return `${placeOf(error.instancePath)}.${error.params.requiredProperties[0]} is missing`;
    if (error.keyword === 'additionalProperties')
      return `${placeOf(error.instancePath)}.${error.params.additionalProperties[0]} is not in the contract`;
  }
  const [first] = errors.toSorted((a, b) => b.instancePath.length - a.instancePath.length);
  return `${placeOf(first?.instancePath ?? '')} ${first?.message ?? 'is not valid'}`;
};

/** What is wrong with the JSON text of an operation's data, such as `data.items[0].name is missing`; null if nothing. */
export const contractCheck = (operation: Operation): ((data: string) => string | null) => {
  const validator = Compile(operation.data);
  return (data) => {
    const value: unknown = JSON.parse(data);
    return validator.Check(value) ? null : describe(validator.Errors(value));
  };
};
