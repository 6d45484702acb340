// Answers, with the envelope, to requests that Node's HTTP parser and the framework reject by themselves: bad request
// lines, slow or oversized headers, malformed escapes, Expect.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { sitePaths } from '@commonhall/contract/site';
import type { ApiFailure } from './errors.ts';
import { failureBody, invalid, invalidRequest, methodNotAllowed } from './errors.ts';
import { commonHeaders, headerValues, jsonType, preflightHeaders } from './headers.ts';
import { closeAfterResponse } from './pipelining.ts';

export const maxUrlBytes = 8192;
/** Above the limit of the URL, so that a long URL gets a 414 from here and not a 431 from the parser. */
export const maxHeaderBytes = 32_768;

/** The methods of /mcp, the only path that takes POST and a body (gap G4). */
const mcpMethods = 'POST, OPTIONS';
const methods = 'GET, HEAD, OPTIONS';
const isMcp = (url: string): boolean => url === sitePaths.mcp || url.startsWith(`${sitePaths.mcp}?`);

const isAllowed = (method: string | undefined, takesBody: boolean): boolean =>
  method === 'OPTIONS' || (takesBody ? method === 'POST' : method === 'GET' || method === 'HEAD');

/** uri-host [ ":" port ] of RFC 9110, 7.2. */
const hostForm =
  /^(\[[0-9A-Fa-f:.]+\]|\[v[0-9A-Fa-f]+\.[\w.~!$&'()*+,;=:-]+\]|([\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(:\d*)?$/;

/** RFC 9112, 3.2: exactly one Host in HTTP/1.1, at most one in 1.0, and a valid one. */
const hostProblem = (request: IncomingMessage): string | null => {
  const [host, another] = headerValues(request, 'host');
  if (another !== undefined) return 'the Host header is given more than once; send it once';
  if (host === undefined) return request.httpVersion === '1.1' ? 'the Host header is missing' : null;
  return hostForm.test(host)
    ? null
    : 'the Host header is not valid; write a host name or address, and a port if needed';
};

/** Whether a request has a body, by its headers (RFC 9112, 6.3). */
const hasBody = ({ 'transfer-encoding': encoding, 'content-length': length }: IncomingHttpHeaders): boolean =>
  encoding !== undefined || (length !== undefined && Number(length) !== 0);

/** What a browser sends before a request of a page of another origin. It costs nothing (gap G8). */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined &&
  !hasBody(headers);

/** The answer to OPTIONS. Pages of other origins may not call tools: theirs allows no origin. */
export const optionsHeaders = ({ url = '' }: IncomingMessage): Record<string, string> =>
  isMcp(url) ? { allow: mcpMethods } : preflightHeaders;

/** Rejects what no handler should see, by method, URL, version, Host, body, Expect, in the order of gap G4. */
export const earlyFailure = (request: IncomingMessage): ApiFailure | null => {
  const { method, url = '', headers, httpVersion } = request;
  const takesBody = isMcp(url);
  if (!isAllowed(method, takesBody)) return methodNotAllowed(takesBody ? mcpMethods : methods);
  if (url.length > maxUrlBytes) return invalidRequest(414);
  if (/[^\x21\x22\x24-\x7e]/.test(url))
    return invalid('the URL has a character that must be percent-encoded (as UTF-8), or a #');
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalid('the HTTP version must be 1.1 or 1.0');
  const problem = hostProblem(request);
  if (problem !== null) return invalid(problem);
  const isPost = method === 'POST'; // at /mcp: other paths do not allow it
  if (hasBody(headers) && !isPost) return invalid('a request must not have a body');
  if (isPost && !hasBody(headers)) return invalid('the body is empty; send one JSON-RPC message');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') return invalidRequest(417);
  return null;
};

/** For requests that the framework rejects before routing: a malformed escape in the path. */
export const frameworkFailure = (request: IncomingMessage): ApiFailure =>
  earlyFailure(request) ?? invalid('the path has a malformed escape; write text as UTF-8, percent-encoded');

const parserFailure = (code: string | undefined): ApiFailure => {
  if (code === 'HPE_HEADER_OVERFLOW') return invalidRequest(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return invalidRequest(408);
  return invalid('The request is not valid HTTP');
};

/** Charges and records a rejection that no handler and no hook sees. The failure that is sent may be a 429 instead. */
export type Refused = (
  address: string | undefined,
  failure: ApiFailure,
  respond: (failure: ApiFailure, requestId: string) => void,
  headers?: IncomingHttpHeaders,
) => Promise<void>;

/** How long a rejected caller may take to read the response. */
const closeTimeoutMs = 1000;
/** Connections with rejected bytes: what follows them is ignored. */
const refusedSockets = new WeakSet<Socket>();

/** Writes a failure to a connection that has no parser, and closes it. */
const closeWith =
  (socket: Socket) =>
  (failure: ApiFailure, requestId: string): void => {
    // Asked again: the handler may have responded meanwhile.
    if (!socket.writable || closeAfterResponse(socket)) return;
    const body = failureBody(failure);
    const headers = {
      ...commonHeaders(requestId),
      ...failure.headers,
      'content-type': jsonType,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    setTimeout(() => socket.destroy(), closeTimeoutMs).unref(); // the caller may never close its side
  };

export const onClientError = (error: Error & { code?: string }, socket: Socket, refused: Refused): void => {
  if (refusedSockets.has(socket)) return;
  refusedSockets.add(socket);
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (!closeAfterResponse(socket)) void refused(socket.remoteAddress, parserFailure(error.code), closeWith(socket));
};

/** CONNECT asks for a tunnel: 405 like any other method, and the connection is closed. */
export const onConnect = ({ headers }: IncomingMessage, socket: Socket, refused: Refused): void => {
  socket.on('error', () => socket.destroy());
  if (closeAfterResponse(socket)) return;
  void refused(socket.remoteAddress, methodNotAllowed(methods), closeWith(socket), headers);
};

/** An answer to a request that no handler will see. */
export const writeFailure = (
  response: ServerResponse,
  failure: ApiFailure,
  requestId: string,
  headers: Record<string, string> = {},
): void => {
  const body = failureBody(failure);
  response.writeHead(failure.status, {
    ...commonHeaders(requestId),
    ...failure.headers,
    ...headers,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
};
