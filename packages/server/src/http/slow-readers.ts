// Connections that the server closes, and why. Unsent bytes for callers that do not read their responses take up
// memory. A connection with unsent bytes must take a minimum number of bytes per second, and there is a ceiling for the
// unsent bytes of all connections together.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey } from './limits.ts';

export interface SlowReaderOptions {
  /** The minimum rate while bytes wait to be sent, measured over `overMs`; 0: any rate is accepted. */
  bytesPerSecond: number;
  overMs: number;
  /** Most unsent bytes of the process. */
  maxUnsentBytes: number;
}
export const closeReasons = ['slow reader', 'too much unsent', 'too many pipelined requests'] as const;
type CloseReason = (typeof closeReasons)[number];
export interface Closed {
  reason: CloseReason;
  address: string;
  unsentBytes: number;
}

export interface SlowReaders {
  watch: (server: Server) => void;
  /** Before a large response: closes connections until it fits under the ceiling. */
  makeRoom: (bytes: number) => void;
  unsentBytes: () => number;
  /** Closes one connection, and reports why. */
  close: (reason: CloseReason, socket: Socket) => void;
  stop: () => void;
}

const everyMs = 1000;

/** The bytes that the system has taken so far. Node counts a write only at its end: too late for one of megabytes. */
const takenBytes = (socket: Socket): number => {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
};

export const openSlowReaders = (
  { bytesPerSecond, overMs, maxUnsentBytes }: SlowReaderOptions,
  onClosed: (closed: Closed) => void,
): SlowReaders => {
  /** Every connection; while bytes wait on it: since when, and how many bytes were taken before. */
  const connections = new Map<Socket, { since: number; taken: number } | null>();
  const watch = (server: Server) =>
    void server.on('connection', (socket) => {
      connections.set(socket, null);
      socket.once('close', () => connections.delete(socket));
    });

  const close = (reason: CloseReason, socket: Socket) => {
    onClosed({ reason, address: socket.remoteAddress ?? '', unsentBytes: socket.writableLength });
    connections.delete(socket);
    socket.destroy();
  };

  /** The largest connection of the address with the most unsent bytes. */
  const largest = (waiting: readonly Socket[]): Socket => {
    const byAddress = new Map<string, { bytes: number; largest: Socket }>();
    for (const socket of waiting) {
      if (socket.writableLength === 0) continue;
      const address = addressKey(socket.remoteAddress ?? '');
      const known = byAddress.get(address) ?? { bytes: 0, largest: socket };
      const isLarger = socket.writableLength > known.largest.writableLength;
      byAddress.set(address, {
        bytes: known.bytes + socket.writableLength,
        largest: isLarger ? socket : known.largest,
      });
    }
    return [...byAddress.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most)).largest;
  };
  const sumOf = (sockets: Iterable<Socket>): number => {
    let sum = 0;
    for (const { writableLength } of sockets) sum += writableLength;
    return sum;
  };
  const makeRoom = (bytes: number) => {
    for (let unsent = sumOf(connections.keys()); unsent > 0 && unsent + bytes > maxUnsentBytes; ) {
      const chosen = largest([...connections.keys()]);
      unsent -= chosen.writableLength;
      close('too much unsent', chosen);
    }
  };

  const check = () => {
    const now = performance.now();
    for (const [socket, waited] of connections) {
      if (socket.writableLength === 0) {
        if (waited !== null) connections.set(socket, null);
        continue;
      }
      const taken = takenBytes(socket);
      if (waited !== null && now - waited.since < overMs) continue;
      if (waited !== null && taken - waited.taken < (bytesPerSecond * overMs) / 1000) close('slow reader', socket);
      else connections.set(socket, { since: now, taken });
    }
    makeRoom(0);
  };
  const timer = setInterval(check, Math.min(everyMs, overMs)).unref();
  return { watch, makeRoom, unsentBytes: () => sumOf(connections.keys()), close, stop: () => clearInterval(timer) };
};
