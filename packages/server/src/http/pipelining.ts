// One request at a time for each connection. Browsers, proxies and HTTP libraries wait for a response before they send
// the next request, so pipelined requests are not queued here. When one arrives while another is under way, the
// response under way carries `Connection: close`, and the client sends the rest again (RFC 9112, 9.3.2). Only if the headers
// of that response have been sent already, the next request waits for its end and is handled then.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Most requests of a connection that are left unanswered: each is an object of some kilobytes, however short it is. */
export const mostUnanswered = 32;

/** The current response of a connection. */
const responseOf = (socket: Socket): ServerResponse | null =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/** Requests that came after the headers of the response before them, which could not announce the end any more. */
const waiting = new WeakMap<Socket, ServerResponse>();
/** The last request of a connection that has a body. It may be answered before its body is read. */
const lastWithBody = new WeakMap<Socket, IncomingMessage>();

/**
 * Closes a connection that cannot be read any further, after the response to the last request; returns whether that
 * request has a response. Then another one would be taken for that of the next request. The response says so, unless
 * its headers have been sent.
 */
export const closeAfterResponse = (socket: Socket): boolean => {
  const current = responseOf(socket);
  if (current === null) {
    if (lastWithBody.get(socket)?.complete !== false) return false;
    socket.destroySoon();
    return true;
  }
  const last = waiting.get(socket) ?? current;
  if (last.headersSent) last.once('close', () => socket.destroySoon());
  else if (last.req.complete) last.shouldKeepAlive = false;
  // The rest of its body will never come, so nothing else responds to it.
  else if (last === current) return false;
  else current.once('close', () => socket.destroySoon());
  return true;
};

/** A listener that gets one request of a connection at a time; `tooMany` gets a connection that sends far more. */
export const onePerConnection = (handle: RequestListener, tooMany: (socket: Socket) => void): RequestListener => {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket, headers } = request;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
      lastWithBody.set(socket, request);
    // No upgrade is made, and Node drops the bytes that it has read behind such a request.
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const current = responseOf(socket) ?? response;
    if (current === response) {
      handle(request, response);
      return;
    }
    const last = waiting.get(socket) ?? current;
    if (last.headersSent) {
      waiting.set(socket, response);
      last.once('close', () => {
        waiting.delete(socket);
        if (responseOf(socket) === response) handle(request, response); // otherwise the connection is being closed
      });
      return;
    }
    last.shouldKeepAlive = false;
    request.resume(); // its body is not read: bytes left unread would reset the connection
    Object.assign(request, { rawHeaders: [], headers: {}, url: '' }); // Node keeps the request as long as the connection
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > mostUnanswered && !socket.destroyed) tooMany(socket);
  };
};
