// A TCP proxy between server and database that can refuse connections, reset them or stop passing bytes.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, createServer } from 'node:net';

export type Fault = 'none' | 'refusing' | 'resetting' | 'silent';
export interface Proxy {
  url: string;
  set: (fault: Fault) => Promise<void>;
  close: () => Promise<void>;
}

export const startProxy = async (targetUrl: string): Promise<Proxy> => {
  const target = new URL(targetUrl);
  let fault: Fault = 'none';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (fault === 'resetting') {
      socket.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    // A connection that has dropped bytes stays silent: passing later bytes would corrupt the stream.
    let swallowed = false;
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (chunk) => {
        swallowed ||= fault === 'silent';
        if (!swallowed) to.write(chunk);
      });
    pass(socket, upstream);
    pass(upstream, socket);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stopListening = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const port = (server.address() as { port: number }).port;
  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    set: async (next) => {
      const before = fault;
      fault = next;
      if (next === 'refusing') await stopListening();
      if (before === 'refusing' && next !== 'refusing') await listen(port);
      if (next === 'resetting') for (const socket of sockets) socket.resetAndDestroy();
    },
    close: async () => {
      if (server.listening) await stopListening();
    },
  };
};
