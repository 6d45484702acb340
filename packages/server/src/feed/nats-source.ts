// The source over NATS JetStream: the only file that knows NATS. It never reconnects by itself: after each interruption
// the follower opens a new source and compares the stream with its position. Messages are fetched by the protocol's own
// pull requests, because the library's consumers reset themselves silently and can wait forever.
import { printable } from '@commonhall/contract/printable';
import type { JetStreamManager } from '@nats-io/jetstream';
import { AckPolicy, DeliverPolicy, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { connect, createInbox, nanos } from '@nats-io/transport-node';
import { gather } from './gather.ts';
import type { Stream } from './nats-start.ts';
import { startOf } from './nats-start.ts';
import type { Message, Source } from './source.ts';
import { StreamProblem } from './source.ts';

/** The platform's transaction id, in decimal digits. */
const xidHeader = 'Commonhall-Xid';
const atOnce = 500;
const mostBytesAtOnce = 16 * 1024 * 1024;
/** How long to wait for a message before checking that the stream is still the same. */
const idleTimeoutMs = 2000;

/** The headers of a message. The library reads them on access, and throws when they are malformed: a publisher can
 * store any bytes. Such a message has no id and no transaction. */
const headersOf = (message: { headers?: MsgHdrs } | { header: MsgHdrs }): MsgHdrs | undefined => {
  try {
    return 'header' in message ? message.header : message.headers;
  } catch {
    return undefined;
  }
};
const messageOf = (sequence: number, at: string, data: Uint8Array, head: MsgHdrs | undefined): Message => {
  const xid = head?.get(xidHeader) ?? '';
  return {
    sequence,
    id: printable(head?.get('Nats-Msg-Id') ?? '').slice(0, 500), // it is stored with the position
    at,
    xid: /^\d{1,20}$/.test(xid) ? BigInt(xid) : null,
    body: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  };
};
/** Whether it is a message of the stream. Reports of the server have no such reply subject; a status in the headers
 * proves nothing, since a publisher can write one. */
const isDelivered = ({ reply = '' }: Msg): boolean => reply.startsWith('$JS.ACK.');
/** A message from a consumer. Its reply subject has the sequence and the time when it was stored. */
const delivered = (message: Msg): Message => {
  const { reply = '', data } = message;
  const tokens = reply.split('.');
  const first = tokens.length === 9 ? 5 : 7; // two more tokens with a domain
  const at = new Date(Number(BigInt(tokens[first + 2] ?? '0') / 1_000_000n)).toISOString();
  return messageOf(Number(tokens[first]), at, data, headersOf(message));
};

/** A queue of incoming messages, for one reader. */
const openInbox = (connection: NatsConnection) => {
  const inbox = createInbox();
  const messages: Msg[] = [];
  let failure: Error | undefined;
  let wake = (): void => {};
  const fail = (error: Error) => {
    failure ??= error;
    wake();
  };
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error) fail(error);
      else messages.push(message);
      wake();
    },
  });
  void connection.closed().then((error) => fail(error ?? new Error('the connection to NATS was closed')));
  return {
    inbox,
    close: () => subscription.unsubscribe(),
    /** The next message, or null after `waitMs`. */
    next: async (waitMs: number): Promise<Msg | null> => {
      if (messages.length === 0 && failure === undefined)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, waitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      if (messages.length === 0 && failure !== undefined) throw failure;
      return messages.shift() ?? null;
    },
  };
};

/** The messages of a stream from a sequence on, without an end. */
async function* readFrom(
  connection: NatsConnection,
  manager: JetStreamManager,
  stream: string,
  from: number,
): AsyncGenerator<Message> {
  const { created } = await manager.streams.info(stream);
  const { name } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from,
    inactive_threshold: nanos(60_000),
  });
  const { inbox, next, close } = openInbox(connection);
  const many = JSON.stringify({ batch: atOnce, max_bytes: mostBytesAtOnce, expires: nanos(idleTimeoutMs) });
  /** Without a limit of bytes: above it a message is never delivered. */
  const one = JSON.stringify({ batch: 1, expires: nanos(idleTimeoutMs) });
  let [expected, asked, isBehind] = [from, 0, false];
  try {
    for (;;) {
      if (asked === 0) {
        connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`, isBehind ? one : many, { reply: inbox });
        asked = isBehind ? 1 : atOnce;
      }
      // The server reports the end of a request. A second later the request counts as ended without a report.
      const message = await next(idleTimeoutMs + 1000);
      if (message !== null && isDelivered(message)) {
        const read = delivered(message);
        expected = read.sequence + 1;
        asked -= 1;
        isBehind = false;
        yield read;
        continue;
      }
      asked = 0;
      const report = message === null ? undefined : headersOf(message);
      const code = report?.code ?? 0;
      if (code !== 0 && ![404, 408, 409].includes(code))
        throw new Error(`the stream does not deliver: ${report?.description}`);
      // No message: the stream has none, or this consumer or its stream is gone.
      const info = await manager.streams.info(stream);
      if (info.created !== created) throw new Error('the stream was recreated');
      const hasMore = info.state.last_seq >= expected;
      if (hasMore && isBehind) throw new Error(`the stream does not deliver message ${expected}`);
      isBehind = hasMore;
    }
  } finally {
    close();
  }
}

/** Throws when a message of the stream is missing. */
const refuseGap = (messages: readonly Message[], first: number, stream: string): void => {
  for (const [n, { sequence }] of messages.entries())
    if (sequence !== first + n)
      throw new StreamProblem(`message ${first + n} of the stream ${stream} is missing: ${sequence} follows`);
};

/** Connects to `nats://user:password@host:port` or `tls://…`; several hosts are joined by commas. A user without a
 * password is a token. */
const openConnection = (url: string): Promise<NatsConnection> => {
  const [, scheme, , userinfo = '', hosts = ''] = /^(\w+):\/\/(([^@/]*)@)?([^@/]+)\/?$/.exec(url) ?? [];
  const [user = '', pass = ''] = userinfo.split(':').map(decodeURIComponent);
  return connect({
    servers: hosts.split(','),
    reconnect: false,
    name: 'commonhall follow',
    timeout: 5000,
    pingInterval: 2000,
    maxPingOut: 2,
    ...(scheme === 'tls' ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
  });
};

/** For `commonhall doctor`. */
export const natsFacts = async (
  url: string,
  stream: string,
): Promise<{ version: string; replicas: number; isEncrypted: boolean }> => {
  const connection = await openConnection(url);
  try {
    const { config } = await (await jetstreamManager(connection)).streams.info(stream);
    const { version = '', tls_required = false } = connection.info ?? {};
    return { version, replicas: config.num_replicas, isEncrypted: tls_required };
  } finally {
    await connection.close();
  }
};

export const openNatsSource = async (url: string, stream: string): Promise<Source> => {
  const connection = await openConnection(url);
  const manager = await jetstreamManager(connection).catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });

  const state: Stream = {
    describe: async () => {
      const { config, created, state } = await manager.streams.info(stream);
      return {
        name: config.name,
        createdAt: created,
        firstSequence: state.first_seq,
        lastSequence: state.last_seq,
      };
    },
    messageAt: async (sequence) => {
      try {
        const found = await manager.streams.getMessage(stream, { seq: sequence });
        return found === null ? null : messageOf(found.seq, found.time.toISOString(), found.data, headersOf(found));
      } catch (error) {
        if (error instanceof JetStreamApiError && error.status === 404) return null;
        throw error;
      }
    },
  };
  let next = 0;
  return {
    begin: async (position) => {
      const { from, ...origin } = await startOf(position, state);
      next = from;
      return origin;
    },
    async *batches(signal) {
      for await (const messages of gather(readFrom(connection, manager, stream, next), signal)) {
        refuseGap(messages, next, stream);
        next += messages.length;
        yield messages;
      }
    },
    // The stream keeps its messages; the position is all that is stored.
    remember: async () => {},
    release: async () => {},
    close: () => connection.close(),
  };
};
