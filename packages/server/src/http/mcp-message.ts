// A message to /mcp, reduced to the parts that this server uses, in bounded size. The errors of the library's schemas
// repeat a wrong value at every level of its nesting, so that a kilobyte becomes megabytes: nothing else of the caller's
// may reach them.
import { invalid } from './errors.ts';

type Parts = Record<string, unknown>;
const isObject = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');
const clientOf = (value: unknown): Parts =>
  isObject(value) ? { name: textOf(value.name), version: textOf(value.version) } : { name: '', version: '' };

/** Arguments are texts, numbers and booleans; anything else is null, which the tool rejects. */
const argumentsOf = (value: unknown): Parts => {
  if (!isObject(value)) throw invalid('`params.arguments` must be an object');
  if (Object.hasOwn(value, '__proto__')) throw invalid('no tool has an argument `__proto__`');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeof one === 'object' ? null : one]));
};

/** What each method needs of its parameters. */
const paramsOf = (method: string, given: Parts): Parts => {
  if (method === 'initialize') {
    const { protocolVersion, clientInfo } = given;
    return { protocolVersion: textOf(protocolVersion), capabilities: {}, clientInfo: clientOf(clientInfo) };
  }
  if (method === 'tools/call') {
    const { name, arguments: args } = given;
    return { name: textOf(name), ...(args == null ? {} : { arguments: argumentsOf(args) }) };
  }
  return method === 'subscriptions/listen' ? { notifications: { toolsListChanged: true } } : {};
};
const prefix = 'io.modelcontextprotocol/';
/** What the protocol of 2026 sends with every request. */
const metaOf = (given: unknown): Parts => {
  if (!isObject(given) || given[`${prefix}protocolVersion`] === undefined) return {};
  return {
    _meta: {
      [`${prefix}protocolVersion`]: textOf(given[`${prefix}protocolVersion`]),
      [`${prefix}clientInfo`]: clientOf(given[`${prefix}clientInfo`]),
      [`${prefix}clientCapabilities`]: {},
    },
  };
};

/** The used parts of a message; throws a validation error when it is none. */
export const usedParts = (text: string): object => {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw invalid('the body is not JSON');
  }
  if (Array.isArray(message)) throw invalid('batches are not served; send one JSON-RPC message');
  if (!isObject(message)) throw invalid('the body is not a JSON-RPC message, an object');
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== '2.0') throw invalid('`jsonrpc` must be "2.0"');
  if (typeof method !== 'string') throw invalid('`method` must be a text; the server sends no requests to respond to');
  if (id !== undefined && !Number.isSafeInteger(id) && !(typeof id === 'string' && id.length <= 200))
    throw invalid('`id` must be an integer or a text of at most 200 characters');
  const given = isObject(params) ? params : {};
  return {
    ...{ jsonrpc, method: method.slice(0, 100), ...(id === undefined ? {} : { id }) },
    params: { ...paramsOf(method, given), ...metaOf(given._meta) },
  };
};
