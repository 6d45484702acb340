// Whether an answer is what the contract says: for development mode and for the tests.
import { Compile } from 'typebox/compile';
import type { Operation } from './operation.ts';

/** Throws unless the JSON text has exactly the keys and types that the operation names. */
export const contractCheck = (operation: Operation): ((data: string) => void) => {
  const validator = Compile(operation.data);
  return (data) => {
    const value: unknown = JSON.parse(data);
    if (validator.Check(value)) return;
    const [first] = validator.Errors(value);
    throw new Error(`${operation.id} broke its contract at ${first?.instancePath}: ${first?.message}`);
  };
};
