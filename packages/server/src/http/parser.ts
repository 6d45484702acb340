// What Node's HTTP parser and the framework refuse by themselves, in the envelope: bad request lines, slow or oversized
// headers, malformed escapes, Expect.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiFailure } from './errors.ts';
import { failureBody, invalid, methodNotAllowed, tooEarly } from './errors.ts';
import { commonHeaders, jsonType } from './headers.ts';

export const maxUrlBytes = 8192;
/** Above the URL's limit, so that a long URL gets 414 from us and not 431 from the parser. */
export const maxHeaderBytes = 32_768;

const isAllowedMethod = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** Refuses what no handler should see: method, URL, Host, body, in the order of gap G4. */
export const earlyFailure = (request: IncomingMessage): ApiFailure | null => {
  const { method, url = '', headers } = request;
  if (!isAllowedMethod(method)) return methodNotAllowed();
  if (url.length > maxUrlBytes) return tooEarly(414);
  if (/[^\x21\x22\x24-\x7e]/.test(url))
    return invalid('the URL has a character that must be percent-encoded (as UTF-8), or a #');
  if (request.httpVersion === '1.1' && headers.host === undefined) return invalid('the Host header is missing');
  const length = headers['content-length'];
  if (headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0))
    return invalid('a request must not have a body');
  return null;
};

/** For the framework's own refusals before routing: a malformed escape in the path. */
export const frameworkFailure = (request: IncomingMessage): ApiFailure =>
  earlyFailure(request) ?? invalid('the path has a malformed escape; write text as UTF-8, percent-encoded');

const parserFailure = (code: string | undefined): ApiFailure => {
  if (code === 'HPE_HEADER_OVERFLOW') return tooEarly(431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooEarly(408);
  return invalid('The request is not valid HTTP');
};

/** Told of every answer that no handler and no hook sees. */
export type Told = (requestId: string, failure: ApiFailure) => void;

export const onClientError = (error: Error & { code?: string }, socket: Socket, told: Told): void => {
  // Behind an answer that is on its way another would be taken for a part of it.
  const answering = (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent === true;
  if (!socket.writable || answering || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const failure = parserFailure(error.code);
  const requestId = randomUUID();
  const body = failureBody(failure);
  const headers = {
    ...commonHeaders(requestId),
    'content-type': jsonType,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  told(requestId, failure);
};

/** An answer to a request that no handler will see. */
export const writeFailure = (response: ServerResponse, failure: ApiFailure, requestId: string): void => {
  const body = failureBody(failure);
  response.writeHead(failure.status, {
    ...commonHeaders(requestId),
    ...failure.headers,
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
};

export const refuseExpectations = (server: Server, told: Told): void => {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const failure = earlyFailure(request) ?? tooEarly(417);
    const requestId = randomUUID();
    writeFailure(response, failure, requestId);
    told(requestId, failure);
  });
};
