// How old the data is: beside the operations, at the root whatever the base path is.
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
      'Everything that the platform had committed by this moment is here, and usually more. Null when the platform does not say.',
    ),
    lagSeconds: says(
      orNull(Type.Number({ minimum: 0 })),
      'How many seconds ago `asOf` was when this was answered; null when `asOf` is null.',
    ),
    primaryUnreachableSince: says(
      orNull(Timestamp),
      'Since when the server has been answering from copies of its database, whose age it cannot measure meanwhile; null normally.',
    ),
  },
  'How old the data is.',
);
