// Pipelined requests, one at a time per connection. Node's parser dispatches every request of a chunk at once, and
// neither a paused socket nor a paused parser stops it in the middle of a chunk. So the requests of the first such
// chunk (at most 64 KiB) wait in a queue. From then on the bytes after a request are held back unparsed until its
// response has been sent, and nothing more is read from that connection meanwhile. Others are not affected.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

const endOfHeaders = '\r\n\r\n';
/** Slices without a request (empty lines, parts of bodies) before other connections get their turn. */
const slicesInARow = 16;
/** Most requests of one chunk in the queue: each is an object of some kilobytes, however short it is. */
export const mostInLine = 100;

/** The current response of a connection. */
const responseOf = (socket: Socket): ServerResponse | null =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
/** Whether the next bytes follow the current request, and do not belong to its body. */
const isBehind = (socket: Socket): boolean => responseOf(socket)?.req.complete ?? false;

/** Calls `go` when the current response has been sent, in a later turn of the event loop: other events come first. */
const afterResponse = (socket: Socket, go: () => void): void => {
  const response = responseOf(socket);
  if (response === null) setImmediate(go);
  else response.once('close', () => setImmediate(go));
};

/** Whether a part of the current response has been sent. */
export const isAnswering = (socket: Socket): boolean => responseOf(socket)?.headersSent ?? false;

/** Calls `go` when no complete request waits for its response: at once, or after the last response. */
export const whenIdle = (socket: Socket, go: () => void): void => {
  if (!isBehind(socket))
    go(); // also when the rest of a body will never come
  else afterResponse(socket, () => whenIdle(socket, go));
};

/** The index past the first end of headers in a chunk, given the last bytes before the chunk; -1: there is none. */
export const endOfFirst = (before: Buffer, chunk: Buffer): number => {
  if (before.length > 0) {
    const seam = Buffer.concat([before, chunk.subarray(0, endOfHeaders.length - 1)]).indexOf(endOfHeaders);
    if (seam !== -1) return seam + endOfHeaders.length - before.length;
  }
  const at = chunk.indexOf(endOfHeaders);
  return at === -1 ? -1 : at + endOfHeaders.length;
};

const nothing = Buffer.alloc(0);

/** From now on gives the parser one request at a time. */
const holdBack = (socket: Socket): void => {
  const give = socket.push.bind(socket);
  /** At most one chunk of 64 KiB, and whether the caller has closed its side after it. */
  let held: Buffer = nothing;
  let hasEnded = false;
  /** The last bytes given to the parser since an end of headers: the next end of headers may begin in them. */
  let before: Buffer = nothing;
  let isWaiting = false;

  const giveSlice = () => {
    const end = endOfFirst(before, held);
    const slice = end === -1 ? held : held.subarray(0, end);
    held = held.subarray(slice.length);
    before = end === -1 ? Buffer.concat([before, slice]).subarray(1 - endOfHeaders.length) : nothing;
    give(slice);
  };
  const wait = () => {
    isWaiting = true;
    afterResponse(socket, () => {
      isWaiting = false;
      proceed();
    });
  };
  const proceed = () => {
    for (let slices = 0; held.length > 0; slices++) {
      if (!socket.writable)
        held = nothing; // the connection was rejected, or is closed
      else if (isBehind(socket) || slices === slicesInARow) return wait();
      else giveSlice();
    }
    if (!hasEnded) Socket.prototype._read.call(socket, 0);
    else if (!isBehind(socket)) give(null);
    else wait();
  };

  socket.on('data', () => {}); // the parser reads the stream from now on, instead of the handle beneath it
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) hasEnded = true;
    else held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (!isWaiting) proceed();
    return held.length === 0 && !hasEnded;
  };
  socket._read = (size) => {
    if (held.length === 0 && !hasEnded) Socket.prototype._read.call(socket, size);
  };
};

/** A listener that gets one request of a connection at a time; `tooMany` gets a connection with too many queued. */
export const onePerConnection = (handle: RequestListener, tooMany: (socket: Socket) => void): RequestListener => {
  const lines = new WeakMap<Socket, [IncomingMessage, ServerResponse][]>();
  const next = (socket: Socket, line: [IncomingMessage, ServerResponse][]) => {
    const first = line.shift();
    if (first === undefined || socket.destroyed) return;
    if (line.length > 0) afterResponse(socket, () => next(socket, line));
    handle(...first);
  };
  return (request, response) => {
    const { socket } = request;
    if (responseOf(socket) === response) {
      handle(request, response);
      return;
    }
    let line = lines.get(socket);
    if (line === undefined) {
      line = [];
      lines.set(socket, line);
      process.nextTick(holdBack, socket); // not in the middle of the parser's work
    }
    if (line.length >= mostInLine) {
      if (!socket.destroyed) tooMany(socket);
      return;
    }
    if (line.push([request, response]) === 1) {
      const waiting = line;
      afterResponse(socket, () => next(socket, waiting));
    }
  };
};
