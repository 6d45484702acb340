// Hostile requests from a seed, on raw sockets against a server process. Each connection also carries normal requests,
// each with a marker that its response repeats: no response may reach another request. REQUESTS=1000000 SEED=7 makes a
// long run, which also bounds the memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient, serveProcess } from '../../../test/helpers/process.ts';
import { seed, seeded } from '../../../test/helpers/random.ts';
import { createWorld, pepper } from '../../../test/helpers/world.ts';
import type { Hostile } from './helpers/hostile-requests.ts';
import { hostileRequests } from './helpers/hostile-requests.ts';

const requests = Number(process.env.REQUESTS ?? 1000);
const isLong = requests >= 100_000;
/** Connections at a time. */
const lanes = 48;
/** The server closes every connection before: at the latest its time limits end a request after about 30 seconds. */
const hungMs = 60_000;

interface Response {
  status: number;
  /** The marker of the request that it responds to, if it repeats one. */
  marker: string | undefined;
}
/** Reads responses strictly: each has a status line, valid headers and exactly as many bytes as it says. */
const responseReader = (methodAt: (index: number) => string | undefined) => {
  const responses: Response[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const read = (): boolean => {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const [line = '', ...headers] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\w -]+$/.exec(line)?.[1]);
    assert.ok(status >= 100, `no status line: ${line.slice(0, 200)}`);
    for (const header of headers) assert.match(header, /^[\w-]+: [\x20-\x7e]*$/);
    const headerOf = (name: string) =>
      headers.find((header) => header.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
    if (status < 200) {
      rest = rest.subarray(end + 4);
      return true;
    }
    const hasBody = methodAt(responses.length) !== 'HEAD' && status !== 204 && status !== 304;
    const length = hasBody ? Number(headerOf('content-length') ?? Number.NaN) : 0;
    assert.ok(length >= 0, `no length: ${line} ${headers.join(', ')}`);
    if (rest.length < end + 4 + length) return false;
    const text = rest.toString('latin1', 0, Math.min(end + 4 + length, 4000));
    responses.push({ status, marker: /\bmarker(\d+)/.exec(text)?.[1] });
    rest = rest.subarray(end + 4 + length);
    // The parser may not have read the method when it rejects a request, and then sends a body.
    if (!hasBody && headerOf('connection') === 'close') rest = Buffer.alloc(0);
    return true;
  };
  return {
    responses,
    add: (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (rest.length > 0 && read());
    },
    rest: () => rest,
  };
};

interface Item extends Pick<Hostile, 'parts' | 'method'> {
  marker?: string;
}
let markers = 0;
/** A request that is valid or has an unknown parameter; its response repeats the name. */
const control = (more = ''): Item => {
  const marker = String(markers++);
  const text = `GET /agents?marker${marker}=1 HTTP/1.1\r\nHost: x\r\nUser-Agent: a caller as any other\r\n${more}\r\n`;
  return { parts: [Buffer.from(text)], method: 'GET', marker };
};

const open = async (port: number, lane: number): Promise<Socket> => {
  // From several addresses, so that ports do not run out.
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${lane + 1}`, allowHalfOpen: true });
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return socket;
};

/** Sends the groups, each when a response to the one before has come; resolves when all is answered, or closed, or hung. */
const exchange = async (socket: Socket, groups: Item[][], ending: Hostile['ending']) => {
  const items = groups.flat();
  const { responses, add, rest } = responseReader((index) => items[index]?.method);
  let [isClosed, isReset, problem] = [false, false, null as unknown];
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    try {
      add(chunk);
    } catch (error) {
      problem ??= error;
    }
    wake();
  });
  const closed = (byReset: boolean) => () => {
    isClosed = true;
    isReset ||= byReset;
    wake();
  };
  socket.on('end', closed(false)).on('error', closed(true)).on('close', closed(false));
  const deadline = Date.now() + hungMs;
  const until = async (isDone: () => boolean) => {
    while (!isDone() && !isClosed && problem === null && Date.now() < deadline) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, deadline - Date.now());
      wake = resolve;
      await promise;
      clearTimeout(timer);
    }
  };
  for (const group of groups) {
    const before = responses.length;
    // One write, unless a request has pauses.
    const parts = group.flatMap((item) => item.parts);
    if (parts.every((part) => typeof part !== 'number')) socket.write(Buffer.concat(parts));
    else
      for (const part of parts) {
        if (typeof part === 'number') await sleep(part);
        else if (!isClosed) socket.write(part);
      }
    if (group !== groups.at(-1)) await until(() => responses.length > before);
  }
  if (ending === 'reset') socket.resetAndDestroy();
  else if (ending === 'half-close') {
    socket.end();
    await until(() => false);
  } else await until(() => responses.length >= items.length);
  const isHung = ending !== 'reset' && !isClosed && problem === null && responses.length < items.length;
  socket.destroy(); // no reset: after a half-close, Node 24 would never exit
  if (problem !== null) throw problem;
  // A reset may take bytes with it.
  if (isClosed && !isReset && ending !== 'reset') assert.equal(rest().length, 0, 'a response is cut off');
  return { items, responses, isClosed, isHung };
};

/** No response may be taken for that of another request. */
const checkOrder = (items: Item[], responses: Response[], isFramed: boolean) => {
  responses.forEach(({ status, marker }, index) => {
    assert.ok(status < 500, `status ${status}`);
    const wanted = items[index]?.marker;
    if (marker !== undefined) assert.equal(marker, wanted, 'the response of another request');
    else if (isFramed) assert.equal(wanted, undefined, `a request got a ${status} that is not its own`);
  });
  if (isFramed) assert.ok(responses.length <= items.length, 'more responses than requests');
};

const world = await createWorld();
const user = await world.add('users');
await world.add('agents', { name: 'helper', owner_id: user.id });

test(`${requests} hostile requests, seed ${seed}: each is answered or closed, and no response reaches another request`, async (t) => {
  const settings = { ...patient, KEY_PEPPER: pepper, KEY_KINDS: 'live,test', LOG_LEVEL: 'info' };
  const server = await serveProcess(world.readerUrl, settings, ['ignore', 'pipe', 'inherit']);
  after(() => server.child.kill('SIGKILL'));
  const faults: string[] = [];
  createInterface({ input: server.child.stdout! }).on('line', (line) => {
    if (!line.startsWith('{"level":') || Number(line.slice(9, 11)) >= 50) faults.push(line.slice(0, 2000));
  });
  const port = Number(new URL(server.url).port);
  const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024;
  const counts: Record<string, Record<string, number>> = {};
  const problems: string[] = [];
  let [next, before] = [0, 0];

  const attack = async (n: number, lane: number): Promise<void> => {
    const random = seeded(seed * 1_000_003 + n);
    const hostile = hostileRequests(random)();
    const goods = (count: number) => Array.from({ length: count }, () => control());
    const isLast = hostile.kind === 'truncated' || hostile.ending !== 'wait';
    const items: Item[] = [
      ...goods(random(5) === 0 ? 1 + random(3) : 0),
      hostile,
      ...(isLast ? [] : goods(1 + random(2))),
    ];
    const groups: Item[][] = [];
    for (const item of items)
      if (groups.length === 0 || random(2) === 0) groups.push([item]);
      else groups.at(-1)!.push(item);
    const { kind, isFramed, ending } = hostile;
    try {
      const seen = await exchange(await open(port, lane), groups, ending);
      const { status = 0 } = seen.responses[items.indexOf(hostile)] ?? {};
      const outcome = seen.isHung ? 'hung' : status === 0 ? 'closed' : status < 400 ? 'answered' : 'refused';
      counts[kind] ??= { answered: 0, refused: 0, closed: 0, hung: 0 };
      counts[kind][outcome]! += 1;
      assert.ok(!seen.isHung, 'hung');
      checkOrder(items, seen.responses, isFramed);
      if (random(10) === 0) {
        const alone = await exchange(await open(port, lane), [[control('Connection: close\r\n')]], 'half-close');
        assert.equal(alone.responses.length, 1, 'a normal request is not answered');
        checkOrder(alone.items, alone.responses, true);
      }
    } catch (error) {
      const sent = groups.map((group) =>
        group.map(({ parts }) =>
          parts.map((part) => (part instanceof Buffer ? part.toString('latin1').slice(0, 500) : part)),
        ),
      );
      problems.push(`request ${n}, ${kind}, then ${ending}: ${(error as Error).message}\n${JSON.stringify(sent)}`);
    }
  };
  const warmUp = Math.min(requests / 4, 50_000);
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (next < requests && problems.length < 20 && server.child.exitCode === null) {
        if (before === 0 && next > warmUp) before = rss();
        await attack(next++, lane);
      }
    }),
  );
  let afterwards = Number.POSITIVE_INFINITY;
  for (let second = 0; second < (isLong ? 30 : 1); second++) {
    await sleep(1000);
    afterwards = Math.min(afterwards, rss());
  }
  for (const [kind, outcomes] of Object.entries(counts)) t.diagnostic(`${kind}: ${JSON.stringify(outcomes)}`);
  t.diagnostic(
    `memory after the warm-up ${before.toFixed(0)} MB, at the end ${afterwards.toFixed(0)} MB; ${markers} normal requests`,
  );
  assert.deepEqual(problems, []);
  assert.equal((await server.stop()).status, 0);
  assert.deepEqual(faults, []);
  if (isLong) assert.ok(afterwards <= 1.2 * before, `memory from ${before} to ${afterwards} MB`);
});
