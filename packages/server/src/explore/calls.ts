// The calls of a page: operations of the contract, answered as for any anonymous request, by the same checks and SQL.
import { operations } from '@commonhall/contract';
import type { DataOf, Operation, ParamsOf, QueryOf } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';
import { urlOf } from '@commonhall/contract/url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { answerOf } from '../http/route.ts';

type Operations = typeof operations;
export type Args<Id extends OperationId> = ParamsOf<Operations[Id]> & QueryOf<Operations[Id]>;
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
export type AnyArgs = Record<string, string | number | boolean | undefined>;

export interface Call {
  operation: Operation;
  args: AnyArgs;
  /** The path and query at the API. */
  path: string;
}
export interface Calls {
  /** Answers an operation, or throws its failure. */
  call: <Id extends OperationId>(id: Id, args: Args<Id>) => Promise<Data<Id>>;
  made: Call[];
  /** Milliseconds until the clock alone changes one of the answers; null: it never does. */
  changesInMs: () => number | null;
}

/** More at a time would take the places of other callers in the queue of the database. */
const mostAtOnce = 2;

export const openCalls = (app: FastifyInstance, request: FastifyRequest): Calls => {
  const made: Call[] = [];
  const spent = { units: 0 };
  let [running, changes] = [0, null as number | null];
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
  return {
    made,
    changesInMs: () => changes,
    call: async (id, args) => {
      const operation: Operation = operations[id];
      const path = urlOf('', id, args as AnyArgs);
      made.push({ operation, args: args as AnyArgs, path });
      return inTurn(async () => {
        const params = Object.fromEntries(
          Object.keys(operation.params).map((key) => [key, String((args as AnyArgs)[key])]),
        );
        const { data, changesInMs } = await answerOf(app, request, { id, params, url: path }, spent);
        if (changesInMs !== null) changes = Math.min(changesInMs, changes ?? changesInMs);
        return JSON.parse(data) as Data<typeof id>;
      });
    },
  };
};
