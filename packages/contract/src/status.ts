// The path /status: how old the data is. It is at the root, not below the base path.
import { Type } from 'typebox';
import { orNull, resource, says, Timestamp } from './shared.ts';

export const statusPath = '/status';
export const Status = resource(
  'Status',
  {
    version: Type.String({
      description: 'The version of the server, the same as info.version of its OpenAPI document.',
    }),
    asOf: says(
      orNull(Timestamp),
      'Everything that the platform had committed by this time is here, and usually more. Null when the platform does not say.',
    ),
    lagSeconds: says(
      orNull(Type.Number({ minimum: 0 })),
      'How many seconds ago `asOf` was when this was answered; null when `asOf` is null.',
    ),
    primaryUnreachableSince: says(
      orNull(Timestamp),
      'Since when the primary database has been unreachable: the server reads from replicas, whose age it cannot measure; null normally.',
    ),
  },
  'How old the data is.',
);
