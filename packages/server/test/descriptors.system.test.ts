// A server whose file descriptors are used up: new connections wait or are closed, open ones are served.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../../test/helpers/process.ts';
import { eventually, patient, serveProcess } from '../../../test/helpers/process.ts';
import { createWorld } from '../../../test/helpers/world.ts';

const world = await createWorld();

const open = async ({ url }: ServerProcess): Promise<Socket> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect'); // by the system: the server may never take it from its backlog
  return socket;
};
const limit = ({ child }: ServerProcess, descriptors: number): void =>
  void execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${descriptors}:`]);
/** The limit that leaves a process so many free descriptors: it bounds their numbers, and the lowest free one is next. */
const limitFor = ({ child }: ServerProcess, free: number): number => {
  const used = new Set(readdirSync(`/proc/${child.pid}/fd`).map(Number));
  let [descriptors, found] = [0, 0];
  for (; found < free || used.has(descriptors); descriptors++) if (!used.has(descriptors)) found += 1;
  return descriptors;
};
const isServing = async ({ url }: ServerProcess): Promise<void> => {
  const { status } = await fetch(`${url}/contests`, { signal: AbortSignal.timeout(30_000) });
  assert.equal(status, 200);
};

for (const free of [10, 0])
  test(`a server with ${free} free file descriptors and 50 new callers goes on, and serves them when there are enough`, async () => {
    const server = await serveProcess(world.readerUrl, { ...patient, MAX_EVENT_LOOP_DELAY_MS: '5000' });
    try {
      await eventually(() => isServing(server));
      const known = await open(server);
      const ask = async () => {
        known.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        const [bytes] = (await once(known, 'data', { signal: AbortSignal.timeout(60_000) })) as [Buffer];
        assert.match(bytes.toString(), /^HTTP\/1\.1 200 /);
      };
      await ask(); // so that the server has taken the connection
      const descriptors = limitFor(server, free);
      limit(server, descriptors);
      const sockets = await Promise.all(Array.from({ length: 50 }, () => open(server)));
      await eventually(() => assert.equal(limitFor(server, 0), descriptors, 'descriptors are free'));
      // While they are used up, each timer of the server runs; the slowest one once a second.
      await sleep(3000);
      await ask();
      for (const socket of [known, ...sockets]) socket.destroy();
      limit(server, 4096);
      await eventually(() => isServing(server));
    } finally {
      if (server.child.exitCode === null) assert.equal((await server.stop()).status, 0);
    }
  });
