// The URL of a call. Imports only the table, so that the client can contain it.
import type { OperationId } from './table.ts';
import { table } from './table.ts';

export type AnyArgs = Readonly<Record<string, string | number | boolean | undefined>>;

/** An argument that is missing, unknown or cannot be sent. */
export class ArgumentError extends TypeError {
  override name = 'ArgumentError';
}

const encode = (id: OperationId, name: string, value: string | number | boolean): string => {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new ArgumentError(`${id}: ${name} has an unpaired surrogate`);
  }
};

/** Throws an ArgumentError on an unknown argument, instead of dropping it silently. */
export const urlOf = (baseUrl: string, id: OperationId, args: AnyArgs): string => {
  const row: { path: string; query: readonly string[] } = table[id];
  const used = new Set<string>();
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name];
    if (value === undefined || value === '') throw new ArgumentError(`${id} needs the argument ${name}`);
    // URL normalization removes dot segments, and another operation would be called.
    if (value === '.' || value === '..') throw new ArgumentError(`${id}: ${name} cannot be ${value}`);
    used.add(name);
    return encode(id, name, value);
  });
  const pairs = row.query.flatMap((name) => {
    used.add(name);
    const value = args[name];
    return value === undefined ? [] : [`${name}=${encode(id, name, value)}`];
  });
  const stranger = Object.keys(args).find((name) => !used.has(name));
  if (stranger !== undefined)
    throw new ArgumentError(`${id} has no argument ${stranger.slice(0, 50)}; it has ${[...used].join(', ') || 'none'}`);
  return baseUrl.replace(/\/+$/, '') + path + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
};

/** The feed of public changes. Not an operation, because it is NDJSON. */
export const changesPath = '/changes';
export const changesUrl = (baseUrl: string, since: string | undefined): string =>
  baseUrl.replace(/\/+$/, '') + changesPath + (since === undefined ? '' : `?since=${encodeURIComponent(since)}`);
