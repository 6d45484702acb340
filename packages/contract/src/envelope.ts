// The envelope of every response: success with data, failure with exactly three keys; pages and slices inside data
// (spec 1).

import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { errorStatus } from './errors.ts';
import { Count, Flag, record, resource, says } from './shared.ts';

export const successOf = <D extends TSchema>(data: D) =>
  record(
    {
      success: Type.Literal(true, { description: 'Always true: the request succeeded.' }),
      data: 'description' in data ? data : says(data, 'What was asked for.'),
    },
    'The envelope of a success.',
  );

export const Failure = resource(
  'Failure',
  {
    success: Type.Literal(false, { description: 'Always false: the request failed.' }),
    error: Type.String({
      minLength: 1,
      description: 'What went wrong, for people. The text may change: programs read `code`.',
    }),
    code: Type.Unsafe<ErrorCode>(
      Type.Enum(Object.keys(errorStatus), {
        description: 'What went wrong, for programs. Each code has one status, except VALIDATION_ERROR.',
      }),
    ),
  },
  'The envelope of a failure. Every failure has exactly these keys.',
);
export type Failure = Static<typeof Failure>;

const items = <S extends TSchema>(item: S, description: string) => Type.Array(item, { maxItems: 100, description });
const total = says(
  Count,
  'How many items the whole list has with these filters. Exact, of the same snapshot as the items.',
);

export const pageOf = <S extends TSchema>(item: S) =>
  record(
    {
      items: items(item, 'The items of this page, in the order of the list; empty past the end.'),
      total,
      page: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The number of this page, as it was asked for.',
      }),
      pageSize: Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How many items a full page has, as it was asked for.',
      }),
      totalPages: says(Count, 'How many pages have items: total divided by pageSize, rounded up; 0 when total is 0.'),
      hasMore: says(Flag, 'Whether a later page has items: page is less than totalPages.'),
    },
    'One page of a list.',
  );

export const sliceOf = <S extends TSchema>(item: S) =>
  record(
    {
      items: items(item, 'The items from the offset on, in the order of the list; empty past the end.'),
      total,
      offset: says(Count, 'How many items were skipped, as it was asked for.'),
      count: Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How many items were asked for; `items` may have fewer at the end.',
      }),
      hasMore: says(Flag, 'Whether the list has items after these.'),
    },
    'A part of a list, by offset and count.',
  );
