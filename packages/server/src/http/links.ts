// Link headers of lists (gap G19): absolute URLs with the request's parameters in contract order; omitted when longer
// than proxies accept.
import type { AddressInfo } from 'node:net';
import type { Operation } from '@commonhall/contract/operation';
import type { ParsedQuery } from './query.ts';

/** The URL at which a listening server can be reached from its own machine. */
export const originOf = (address: AddressInfo | string | null): string => {
  if (address === null || typeof address === 'string') throw new Error('the server is not listening on a port');
  const anywhere: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  const host = anywhere[address.address] ?? address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
};

const fill = (path: string, params: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

export const linkHeader = (links: Record<string, string>): string =>
  Object.entries(links)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ');

/** The position (page or offset) of each relation that exists. */
const pageTargets = (total: number, page: number, pageSize: number): Record<string, number> => {
  const last = Math.ceil(total / pageSize);
  return {
    first: 1,
    ...(page > 1 ? { prev: page > last ? Math.max(1, last) : page - 1 } : {}),
    ...(page < last ? { next: page + 1 } : {}),
    ...(total > 0 ? { last } : {}),
  };
};
const sliceTargets = (total: number, offset: number, count: number): Record<string, number> => {
  const last = total === 0 ? 0 : Math.floor((total - 1) / count) * count;
  return {
    first: 0,
    ...(offset > 0 ? { prev: Math.max(0, offset - count) } : {}),
    ...(offset + count < total ? { next: offset + count } : {}),
    ...(total > 0 ? { last } : {}),
  };
};

/** Together with the other headers it must fit into 4 KB, the header buffer of a common proxy. */
const longest = 3000;

export const listLinks = (
  apiUrl: string,
  operation: Operation,
  params: Record<string, string>,
  { values, given }: ParsedQuery,
  total: number,
): string | undefined => {
  const [position, targets] =
    operation.answer === 'page'
      ? ['page', pageTargets(total, Number(values.page), Number(values.pageSize))]
      : ['offset', sliceTargets(total, Number(values.offset), Number(values.count))];
  const base = apiUrl + fill(operation.path, params);
  const names = Object.keys(operation.query).filter((name) => name === position || given.includes(name));
  const urlOf = (target: number) =>
    `${base}?${names.map((name) => `${name}=${encodeURIComponent(String(name === position ? target : values[name]))}`).join('&')}`;
  const header = linkHeader(Object.fromEntries(Object.entries(targets).map(([rel, target]) => [rel, urlOf(target)])));
  return header.length <= longest ? header : undefined;
};
