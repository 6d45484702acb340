// What an operation is: its row of the table plus schemas, texts, cache class, failures and an example. The loops over
// these values are the server's routes, the OpenAPI document, the client's types, the demo and the tests.
import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { OperationId, PathName, QueryName } from './table.ts';
import { table } from './table.ts';

/** public: shared caches may keep it; private: nobody may; mixed: public without a credential, private with one. */
export type CacheClass = 'public' | 'private' | 'mixed';

/** What the texts of an operation add about its credential. */
export const keyNote = {
  none: '',
  optional: 'An API key adds what is the caller’s own.',
  required: 'Needs an API key.',
};

/** Who asks in an example: a member of the sponsor, a user with god_mode, or a user who is neither. */
export type ExampleCaller = 'stranger' | 'member' | 'god';

export interface Parts<Id extends OperationId, P, Q, D extends TSchema> {
  tag: string;
  summary: string;
  description: string;
  cache: CacheClass;
  params: P & Record<PathName<Id>, TSchema> & Record<Exclude<keyof P, PathName<Id>>, never>;
  query: Q & Record<QueryName<Id>, TSchema> & Record<Exclude<keyof Q, QueryName<Id>>, never>;
  data: D;
  /** The operation's own failures; the common ones are added by every loop. */
  failures: readonly ErrorCode[];
  /** A call that shows something in the sample community. */
  example: { [K in keyof P]: string } & { [K in keyof Q]?: string | number | boolean };
  /** Who asks in the example; nobody in particular when it is left out. */
  exampleCaller?: ExampleCaller;
  /** Beside the operations of the specification. */
  isAddition?: true;
  /** The order of a list that has no `sortBy`, where items show it: their key, and whether it rises. */
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

export interface Operation {
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
  order?: readonly [key: string, direction: 'asc' | 'desc'];
}

/** The query names that carry a default, so that a handler always finds them. A test holds this list. */
export type DefaultedName = 'page' | 'pageSize' | 'offset' | 'count' | 'sortBy' | 'sortOrder';

export type ParamsOf<O extends Operation> = { [K in keyof O['params']]: Static<O['params'][K]> };
/** What a caller may send. */
export type QueryOf<O extends Operation> = { [K in keyof O['query']]?: Static<O['query'][K]> | undefined };
/** What a handler gets. */
export type ParsedQueryOf<O extends Operation> = {
  [K in keyof O['query']]: K extends DefaultedName ? Static<O['query'][K]> : Static<O['query'][K]> | undefined;
};
export type DataOf<O extends Operation> = Static<O['data']>;
