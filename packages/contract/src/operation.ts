// The definition of an operation: its row of the table plus schemas, texts, cache class, failures and an example. The
// server's routes, the OpenAPI document, the client's types, the demo and the tests are loops over these values.
import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Notices } from './notices.ts';
import type { OperationId, PathName, QueryName } from './table.ts';
import { table } from './table.ts';

/** public: shared caches may store it; private: no cache may; mixed: public without a credential, private with one. */
export type CacheClass = 'public' | 'private' | 'mixed';

/** The sentence about credentials that help texts and tools add to the description. */
export const keyNote = {
  none: '',
  optional: 'An API key adds the caller’s own values.',
  required: 'Needs an API key.',
};

/** The caller of an example: a member of the sponsor, a user with god_mode, or a user who is neither. */
export type ExampleCaller = 'stranger' | 'member' | 'god';

export interface Parts<Id extends OperationId, P, Q, D extends TSchema> extends Notices {
  tag: string;
  summary: string;
  description: string;
  cache: CacheClass;
  params: P & Record<PathName<Id>, TSchema> & Record<Exclude<keyof P, PathName<Id>>, never>;
  query: Q & Record<QueryName<Id>, TSchema> & Record<Exclude<keyof Q, QueryName<Id>>, never>;
  data: D;
  /** How many lists `q` searches; absent: one. */
  searches?: number;
  /** The operation's own failures; the common ones (errors.ts) apply to every operation. */
  failures: readonly ErrorCode[];
  /** A call that returns something from the sample data. */
  example: { [K in keyof P]: string } & { [K in keyof Q]?: string | number | boolean };
  /** The caller of the example; anonymous if absent. */
  exampleCaller?: ExampleCaller;
  /** Not one of the operations of the specification. */
  isAddition?: true;
  /** What people look for in a list, for its table on a terminal: keys of an item, and inside it `sponsor.slug`. Absent:
   * all of its keys are short. */
  columns?: readonly string[];
  /** The order of a list without `sortBy`: a key of the items, and the direction. Absent if items do not show it. */
  order?: readonly [key: string, direction: 'asc' | 'desc'];
}

export const operation = <
  const Id extends OperationId,
  P extends Record<string, TSchema>,
  Q extends Record<string, TSchema>,
  D extends TSchema,
>(
  id: Id,
  parts: Parts<Id, P, Q, D>,
) => {
  const row: (typeof table)[Id] = table[id];
  return {
    ...parts,
    id,
    path: row.path as (typeof table)[Id]['path'],
    auth: row.auth as (typeof table)[Id]['auth'],
    answer: row.answer as (typeof table)[Id]['answer'],
    params: parts.params as P,
    query: parts.query as Q,
  };
};

export interface Operation extends Notices {
  id: OperationId;
  path: string;
  auth: (typeof table)[OperationId]['auth'];
  answer: (typeof table)[OperationId]['answer'];
  tag: string;
  summary: string;
  description: string;
  cache: CacheClass;
  params: Record<string, TSchema>;
  query: Record<string, TSchema>;
  data: TSchema;
  failures: readonly ErrorCode[];
  example: Readonly<Record<string, string | number | boolean | undefined>>;
  exampleCaller?: ExampleCaller;
  isAddition?: true;
  searches?: number;
  columns?: readonly string[];
  order?: readonly [key: string, direction: 'asc' | 'desc'];
}

/** The query parameters with a default: a handler always gets a value. A test compares this list with the schemas. */
export type DefaultedName = 'page' | 'pageSize' | 'offset' | 'count' | 'sortBy' | 'sortOrder';

export type ParamsOf<O extends Operation> = { [K in keyof O['params']]: Static<O['params'][K]> };
/** The query parameters that a caller may send. */
export type QueryOf<O extends Operation> = { [K in keyof O['query']]?: Static<O['query'][K]> | undefined };
/** The query parameters that a handler gets, with defaults filled in. */
export type ParsedQueryOf<O extends Operation> = {
  [K in keyof O['query']]: K extends DefaultedName ? Static<O['query'][K]> : Static<O['query'][K]> | undefined;
};
export type DataOf<O extends Operation> = Static<O['data']>;
