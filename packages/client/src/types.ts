// Arguments and results of the operations, derived from the contract. In a released package release/types.ts replaces
// this file by written-out types, so that the package has no dependencies.
import type { Operations } from '@commonhall/contract';
import type { DataOf, ParamsOf, QueryOf } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';

/** The arguments of an operation: its path and query parameters. */
export type Args<Id extends OperationId> = ParamsOf<Operations[Id]> & QueryOf<Operations[Id]>;
/** What an operation returns: `data` of the envelope. */
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
