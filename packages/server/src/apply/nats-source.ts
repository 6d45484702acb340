// The source over NATS JetStream: the only file that knows NATS. It never reconnects by itself: after each interruption
// the follower opens a new one and compares the stream with its position.
import type { JsMsg, StoredMsg } from '@nats-io/jetstream';
import { DeliverPolicy, JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Message, Source } from './source.ts';

/** The platform's transaction id, in decimal digits. */
const xidHeader = 'Commonhall-Xid';
/** Messages that may wait here to be applied. */
const ahead = 2000;
/** After these the consumer may be reading something else. */
const doubtful = [
  'consumer_deleted',
  'consumer_not_found',
  'heartbeats_missed',
  'ordered_consumer_recreated',
  'stream_not_found',
];

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

/** Opens `nats://user:password@host:port` or `tls://…`. A user without a password is a token. */
export const openNatsSource = async (url: string, stream: string): Promise<Source> => {
  const { protocol, host, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const connection = await connect({
    servers: host,
    reconnect: false,
    name: 'commonhall follow',
    timeout: 5000,
    pingInterval: 2000,
    maxPingOut: 2,
    ...(protocol === 'tls:' ? { tls: {} } : {}),
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
      const consumer = await jetstream(connection).consumers.get(stream, {
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
      });
      const messages = await consumer.consume({ max_messages: ahead, idle_heartbeat: 1000, expires: 5000 });
      let doubt: string | undefined;
      const watch = async () => {
        for await (const { type } of messages.status())
          if (doubtful.includes(type)) {
            doubt ??= type.replaceAll('_', ' ');
            messages.stop();
          }
      };
      void watch();
      for await (const message of messages) yield messageOf(message, (name) => message.headers?.get(name) || undefined);
      throw new Error(`the stream was interrupted${doubt === undefined ? '' : `: ${doubt}`}`);
    },
  };
};
