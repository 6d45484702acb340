// For tests of the feed: runs `commonhall follow` as a separate process, and publishes messages without a platform.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, headers } from '@nats-io/transport-node';
import { bareEnv } from './process.ts';

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface Program {
  child: ChildProcess;
  /** The last 20,000 characters that it has printed. */
  output: () => string;
  /** Its exit status. It has two minutes to end, so that a test fails and does not hang. */
  ended: () => Promise<number | null>;
  kill: () => Promise<void>;
}
/** Starts a program of this repository and collects its output. It is killed at the latest when the test exits. */
export const startProgram = (file: string, args: string[], env: Record<string, string>): Program => {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...bareEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000);
    });
  running.add(child);
  const closed = once(child, 'close').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    child,
    output: () => text,
    ended: () =>
      Promise.race([
        closed,
        sleep(120_000, null, { ref: false }).then(() => {
          throw new Error(`the program is still running; it has printed: ${text}`);
        }),
      ]),
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};
/** `commonhall <args>`. */
export const startCommand = (args: string[], env: Record<string, string>): Program => startProgram(main, args, env);
export const startFollower = (databaseUrl: string, natsUrl: string): Program =>
  startCommand(['follow'], { DATABASE_URL: databaseUrl, FEED_URL: natsUrl });

/** Publishes to the stream COMMONHALL and reads its state. */
export const openPublisher = async (url: string) => {
  const nats = await connect({ servers: url, reconnect: false });
  const [js, manager] = [jetstream(nats), await jetstreamManager(nats)];
  let serial = 0;
  return {
    manager,
    /** `status`: a status in the headers, as the reports of NATS itself have one. */
    publish: async (body: object | string, { xid = 100, id = `m${Date.now()}-${serial++}`, status = 0 } = {}) => {
      const head = headers(status, status === 0 ? '' : 'not a report');
      head.set('Commonhall-Xid', String(xid));
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return (await js.publish('commonhall.changes', text, { msgID: id, headers: head })).seq;
    },
    last: async () => (await manager.streams.info('COMMONHALL')).state.last_seq,
    close: () => nats.close(),
  };
};

/** Publishes a message with any bytes as its headers, which the library would reject. */
export const publishRaw = async (url: string, head: string, body: string): Promise<void> => {
  const { hostname, port } = new URL(url);
  const socket = connectTcp(Number(port), hostname);
  await once(socket, 'data'); // INFO
  const headers = Buffer.from(`NATS/1.0\r\n${head}\r\n\r\n`);
  const sizes = `${headers.length} ${headers.length + Buffer.byteLength(body)}`;
  socket.write('CONNECT {"headers":true,"verbose":false}\r\n');
  socket.write(
    Buffer.concat([Buffer.from(`HPUB commonhall.changes ${sizes}\r\n`), headers, Buffer.from(`${body}\r\n`)]),
  );
  socket.write('PING\r\n');
  await once(socket, 'data'); // PONG
  socket.destroy();
};
