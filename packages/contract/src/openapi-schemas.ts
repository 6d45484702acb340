// The contract's schemas as the OpenAPI document prints them, in the forms that generators of clients understand: named
// resources, pages and envelopes, a type beside each enum, [type, "null"] for what may be null, int64 for large integers.
// Objects of responses are open here, because a minor version adds keys. The contract's own schemas stay closed: for the
// check of responses, for intake and for tools.
import type { TSchema } from 'typebox';
import { RegistrationFile } from './agents.ts';
import { Failure, successOf } from './envelope.ts';
import { operations } from './index.ts';
import type { Operation } from './operation.ts';
import { Status } from './status.ts';

/** The name of a resource; undefined for any other schema. `title` can also be a property of a record. */
const nameOf = (schema: object): string | undefined =>
  'title' in schema && typeof schema.title === 'string' ? schema.title : undefined;
/** Collects the named resources in a schema by name, outermost first. */
const namedIn = (schema: unknown, found: Map<string, TSchema>): void => {
  if (typeof schema !== 'object' || schema === null) return;
  const name = nameOf(schema);
  if (name !== undefined) {
    if (found.has(name)) return;
    found.set(name, schema as TSchema);
  }
  for (const value of Object.values(schema)) namedIn(value, found);
};
/** Every named resource that a response can contain. */
export const resources: Readonly<Record<string, TSchema>> = (() => {
  const found = new Map<string, TSchema>();
  for (const { data } of Object.values<Operation>(operations)) namedIn(data, found);
  for (const schema of [RegistrationFile, Status, Failure]) namedIn(schema, found);
  return Object.fromEntries(found);
})();

type Printed = Record<string, unknown>;
const refTo = (name: string): Printed => ({ $ref: `#/components/schemas/${name}` });
const mostInt32 = 2 ** 31 - 1;

/** Merges `null` into the type of a value that may be null. A reference stays an alternative. */
const withNull = ({ anyOf, ...rest }: Printed): Printed => {
  const [value = {}, ...others] = (anyOf as Printed[]).filter(({ type }) => type !== 'null');
  if (others.length > 0 || typeof value.type !== 'string') return { anyOf, ...rest };
  const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
  return { ...value, ...values, type: [value.type, 'null'], ...rest };
};
const isNullable = ({ anyOf }: Printed): boolean =>
  Array.isArray(anyOf) && anyOf.some((one: Printed) => one.type === 'null');

/** A schema as plain JSON, with named resources inside it replaced by references. */
export const printed = (schema: unknown, isWhole = false): unknown => {
  if (Array.isArray(schema)) return schema.map((element) => printed(element));
  if (typeof schema !== 'object' || schema === null) return schema;
  const name = nameOf(schema);
  if (!isWhole && name !== undefined)
    return { ...refTo(name), ...('~says' in schema ? { description: schema['~says'] } : {}) };
  const isClosing = ([key, value]: [string, unknown]) => key === 'additionalProperties' && value === false;
  const isName = ([key, value]: [string, unknown]) => key === 'title' && value === name;
  const made: Printed = Object.fromEntries(
    Object.entries(schema)
      .filter((entry) => !isClosing(entry) && !isName(entry))
      .map(([key, value]) => [key, printed(value)]),
  );
  if (isNullable(made)) return withNull(made);
  if (Array.isArray(made.enum) && made.type === undefined) return { type: 'string', ...made };
  const { type, minimum = 0, maximum = Number.POSITIVE_INFINITY } = made;
  const isLarge = type === 'integer' && (Number(minimum) < -mostInt32 || Number(maximum) > mostInt32);
  return isLarge ? { ...made, format: 'int64' } : made;
};

/** The name of what an operation returns: a resource, or a page, slice or list of one. */
const dataNameOf = ({ id, answer, data }: Operation): string => {
  const { properties, items } = data as { properties?: { items?: { items?: TSchema } }; items?: TSchema };
  const item = answer === 'array' ? items : properties?.items?.items;
  const ending = { one: '', array: 'List', page: 'Page', slice: 'Slice' }[answer];
  return `${nameOf(answer === 'one' ? data : (item ?? {})) ?? id.replace(/^\w/, (letter) => letter.toUpperCase())}${ending}`;
};
const envelope = (name: string): string => `${name}Envelope`;
/** A reference to the envelope of what an operation returns. */
export const envelopeOf = (operation: Operation): Printed => refTo(envelope(dataNameOf(operation)));
export const statusEnvelope: Printed = refTo(envelope('Status'));

const envelopeSchema = (name: string, description: string | undefined): Printed => ({
  ...(printed(successOf(Status)) as Printed),
  properties: {
    success: printed(successOf(Status).properties.success),
    data: { ...refTo(name), ...(description === undefined ? {} : { description }) },
  },
});
/** The schemas of the document by name: resources, what operations return, and their envelopes. */
export const componentSchemas = (): Record<string, unknown> => {
  const found: Record<string, unknown> = Object.fromEntries(
    Object.entries(resources).map(([name, schema]) => [name, printed(schema, true)]),
  );
  for (const operation of Object.values<Operation>(operations)) {
    const name = dataNameOf(operation);
    const { data } = operation;
    const schema = printed(data, true);
    if (found[name] !== undefined && JSON.stringify(found[name]) !== JSON.stringify(schema))
      throw new Error(`two schemas are named ${name}: that of ${operation.id}, and another`);
    found[name] = schema;
    found[envelope(name)] = envelopeSchema(name, (data as { description?: string }).description);
  }
  found[envelope('Status')] = envelopeSchema('Status', undefined);
  return found;
};
