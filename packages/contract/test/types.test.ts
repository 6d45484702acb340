// Code that must not compile. `tsc` fails if one of these lines is not an error; at run time nothing is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operation } from '../src/operation.ts';
import { Id, pathValue, UserSummary } from '../src/shared.ts';

const rest = { tag: 'Agents', summary: '', description: '', cache: 'public', data: UserSummary, failures: [] } as const;

const neverCalled = () => {
  // @ts-expect-error the path of getAgent has {name}, not {nam}
  operation('getAgent', { ...rest, params: { nam: pathValue('') }, query: {} });
  // @ts-expect-error a path parameter is missing
  operation('getAgent', { ...rest, params: {}, query: {} });
  // @ts-expect-error getAgent has no query parameter
  operation('getAgent', { ...rest, params: { name: pathValue('') }, query: { page: Id } });
  // @ts-expect-error no such operation
  operation('getAgnt', { ...rest, params: { name: pathValue('') }, query: {} });
  // @ts-expect-error no such error code
  operation('getAgent', { ...rest, params: { name: pathValue('') }, query: {}, failures: ['TEAPOT'] });
};

test('a wrong path parameter, query name, operation or code does not compile', () => {
  assert.equal(typeof neverCalled, 'function');
});
