// What calls take and return, from the contract's values. A released package has the same written out in full, so that
// it needs no other package.
import type { Operations } from '@commonhall/contract';
import type { DataOf, ParamsOf, QueryOf } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';

/** The arguments of an operation: its path values and its query parameters. */
export type Args<Id extends OperationId> = ParamsOf<Operations[Id]> & QueryOf<Operations[Id]>;
/** What an operation returns: `data` of the envelope. */
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
