// How old the data is: beside the twenty operations, at the root whatever the base path is.
import { Type } from 'typebox';
import { orNull, record, Timestamp } from './shared.ts';

export const statusPath = '/status';
export const Status = record(
  {
    version: Type.String({ description: 'Of the server.' }),
    asOf: orNull(
      Type.Unsafe<string>({
        ...Timestamp,
        description:
          'Everything that the platform had committed by this moment is here. Null: the platform does not say.',
      }),
    ),
    lagSeconds: orNull(Type.Number({ minimum: 0, description: 'How long ago that was, when this was answered.' })),
  },
  'How old the data is.',
);
