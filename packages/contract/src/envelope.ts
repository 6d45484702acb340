// The one envelope: success with data, failure with exactly three keys; pages and slices inside data (spec 1).

import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { ErrorCode } from './errors.ts';
import { errorStatus } from './errors.ts';
import { Count, record } from './shared.ts';

export const successOf = <D extends TSchema>(data: D) => record({ success: Type.Literal(true), data });

export const Failure = record({
  success: Type.Literal(false),
  error: Type.String({ minLength: 1, description: 'For people; may change.' }),
  code: Type.Unsafe<ErrorCode>(Type.Enum(Object.keys(errorStatus))),
});
export type Failure = Static<typeof Failure>;

const items = <S extends TSchema>(item: S) => Type.Array(item, { maxItems: 100 });

export const pageOf = <S extends TSchema>(item: S) =>
  record({
    items: items(item),
    total: Count,
    page: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100 }),
    totalPages: Count,
    hasMore: Type.Boolean(),
  });

export const sliceOf = <S extends TSchema>(item: S) =>
  record({
    items: items(item),
    total: Count,
    offset: Count,
    count: Type.Integer({ minimum: 1, maximum: 100 }),
    hasMore: Type.Boolean(),
  });
