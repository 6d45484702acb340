// The source over NATS JetStream: the only file that knows NATS. It never reconnects by itself: after each interruption
// the follower opens a new one and compares the stream with its position.
import type { JsMsg, StoredMsg } from '@nats-io/jetstream';
import { AckPolicy, DeliverPolicy, JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import type { Message, Source } from './source.ts';

/** The platform's transaction id, in decimal digits. */
const xidHeader = 'Commonhall-Xid';
const atOnce = 1000;
/** How long to wait for a message before looking whether the stream is still the same. */
const quietMs = 2000;

const messageOf = ({ seq, time, data }: JsMsg | StoredMsg, header: (name: string) => string | undefined): Message => {
  const xid = header(xidHeader) ?? '';
  return {
    sequence: seq,
    id: header('Nats-Msg-Id') ?? '',
    at: time.toISOString(),
    xid: /^\d{1,20}$/.test(xid) ? BigInt(xid) : null,
    body: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  };
};

/** Opens `nats://user:password@host:port` or `tls://…`; several hosts are joined by commas. A user alone is a token. */
export const openNatsSource = async (url: string, stream: string): Promise<Source> => {
  const [, scheme, , userinfo = '', hosts = ''] = /^(\w+):\/\/(([^@/]*)@)?([^@/]+)\/?$/.exec(url) ?? [];
  const [user = '', pass = ''] = userinfo.split(':').map(decodeURIComponent);
  const connection = await connect({
    servers: hosts.split(','),
    reconnect: false,
    name: 'commonhall follow',
    timeout: 5000,
    pingInterval: 2000,
    maxPingOut: 2,
    ...(scheme === 'tls' ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
  });
  const manager = await jetstreamManager(connection);

  return {
    close: () => connection.close(),
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
        return found === null ? null : messageOf(found, (name) => found.header.get(name) || undefined);
      } catch (error) {
        if (error instanceof JetStreamApiError && error.status === 404) return null;
        throw error;
      }
    },
    read: async function* (from) {
      const { created } = await manager.streams.info(stream);
      const { name } = await manager.consumers.add(stream, {
        ack_policy: AckPolicy.None,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
        inactive_threshold: nanos(30_000),
      });
      const consumer = await jetstream(connection).consumers.get(stream, name);
      let [next, isBehind] = [from, false];
      for (;;) {
        const before = next;
        for await (const message of await consumer.fetch({ max_messages: atOnce, expires: quietMs })) {
          yield messageOf(message, (header) => message.headers?.get(header) || undefined);
          next = message.seq + 1;
        }
        if (next > before) continue;
        // Nothing has come: there is nothing, or this consumer or its stream is not there any more.
        const info = await manager.streams.info(stream);
        if (info.created !== created) throw new Error('the stream was recreated');
        if (isBehind) throw new Error(`the stream does not deliver message ${next}`);
        isBehind = info.state.last_seq >= next;
      }
    },
  };
};
