// Publishes the platform's outbox to a NATS JetStream stream: every committed row once, the changes of a row in order.
// It has no state: the outbox has the rows left to publish, and the end of the stream those already published.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JetStreamClient } from '@nats-io/jetstream';
import { JetStreamApiCodes, JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { connect, headers, nanos } from '@nats-io/transport-node';
import pg from 'pg';

const { PLATFORM_DATABASE_URL = '', NATS_URL = 'nats://127.0.0.1:4222', STREAM = 'COMMONHALL' } = process.env;
const [pollMs, markMs] = [25, 1000];
/** If a relay dies, at most one batch is published but not deleted. The tail is longer than that, because of marks. */
const [batchSize, tailSize] = [500, 1000];

type Message = { message_id: string; xid: string; body: string };
type Row = Message & { id: string; found: number };

let isStopping = false;
const log = (message: string, more: object = {}) =>
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), message, ...more })}\n`);

const databaseOptions = {
  connectionString: PLATFORM_DATABASE_URL,
  application_name: 'commonhall-relay',
  connectionTimeoutMillis: 5000,
  query_timeout: 30_000,
  // Deletes must survive a crash of PostgreSQL. Keepalives: PostgreSQL frees the lock soon if this machine disappears.
  options: '-c synchronous_commit=on -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
};

/** Does not reconnect: a lost connection ends the session, and the next session first reads the end of the stream. */
const openNats = (): Promise<NatsConnection> =>
  connect({ servers: NATS_URL.split(','), name: 'commonhall-relay', reconnect: false, pingInterval: 5000 });

const waitForLock = async (db: pg.Client): Promise<void> => {
  for (let tries = 0; !isStopping; tries++) {
    const { rows } = await db.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('commonhall-relay', 0)) as locked`,
    );
    if (rows[0]?.locked === true) return;
    if (tries === 0) log('another relay is running; waiting for its lock');
    await sleep(200);
  }
};

/** Deletes the rows of the outbox that are already at the end of the stream. Returns where the stream ends. */
const readTail = async (db: pg.Client, nats: NatsConnection) => {
  const { streams } = await jetstreamManager(nats);
  const { state, config, created } = await streams.info(STREAM).catch((error: unknown) => {
    const isMissing = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    throw isMissing ? new Error(`there is no stream ${STREAM}: create it with relay.ts --create-stream`) : error;
  });
  const { rows } = await db.query('select last from outbox_published where stream_created_at = $1', [created]);
  if (Number(rows[0]?.last ?? 0) > state.last_seq)
    throw new Error(`the stream has lost messages after ${state.last_seq}: make a new stream and a fresh load`);
  const ids: string[] = [];
  for (let next = Math.max(state.first_seq, state.last_seq - tailSize + 1, 1); next <= state.last_seq; next += 50) {
    const sequences = Array.from({ length: Math.min(50, state.last_seq - next + 1) }, (_, index) => next + index);
    for (const message of await Promise.all(sequences.map((seq) => streams.getMessage(STREAM, { seq }))))
      if (message?.header.has('Nats-Msg-Id')) ids.push(message.header.get('Nats-Msg-Id'));
  }
  await db.query('delete from outbox where message_id::text = any($1)', [ids]);
  return { last: state.last_seq, subject: config.subjects[0]!, created };
};

/** Pipelined. Each message expects its predecessor (fencing): after a message of another relay, the rest fails. */
const publish = async (js: JetStreamClient, subject: string, last: number, messages: Message[]): Promise<number> => {
  const acknowledged = messages.map(({ message_id, xid, body }, index) => {
    const head = headers();
    head.set('Commonhall-Xid', xid);
    const before = messages[index - 1];
    const expect = { lastSequence: last + index, ...(before !== undefined && { lastMsgID: before.message_id }) };
    return js.publish(subject, body, { msgID: message_id, headers: head, expect, timeout: 10_000 });
  });
  for (const [index, { seq }] of (await Promise.all(acknowledged)).entries())
    if (seq !== last + index + 1) throw new Error(`message ${seq} was published before`);
  return last + messages.length;
};

/** The first rows of the outbox: at most 16 MB, but at least one row. `found`: the number of rows, up to a batch. */
const firstRows = `
  select id, message_id, xid::text as xid, body, found
  from (select id, message_id, xid, body::text as body, sum(octet_length(body::text)) over (order by id) as bytes,
      count(*) over ()::integer as found
    from (select * from outbox order by id limit ${batchSize}) as b) as batch
  where bytes <= 16000000 or bytes = octet_length(body)
  order by id`;

// The outbox is read after `at`, so that everything committed before `at` is published before the mark. The transaction
// commits before the mark is published: otherwise its xid could be assigned again after a crash.
const readOutbox = async (db: pg.Client, isMarkDue: boolean): Promise<{ rows: Row[]; marks: Message[] }> => {
  if (!isMarkDue) return { rows: (await db.query<Row>(firstRows)).rows, marks: [] };
  await db.query('begin isolation level read committed');
  const { rows: moments } = await db.query('select pg_current_xact_id()::text as xid, clock_timestamp() as at');
  const { rows } = await db.query<Row>(firstRows);
  await db.query('commit');
  const isAll = rows.length < batchSize && (rows[0]?.found ?? 0) === rows.length;
  const mark = ({ xid, at }: { xid: string; at: Date }) => ({ xid, body: JSON.stringify({ op: 'mark', at }) });
  return { rows, marks: isAll ? moments.map((moment) => ({ message_id: randomUUID(), ...mark(moment) })) : [] };
};

const relay = async (db: pg.Client, nats: NatsConnection): Promise<void> => {
  await waitForLock(db);
  if (isStopping) return;
  let { last, subject, created } = await readTail(db, nats);
  log('publishing', { stream: STREAM, last });
  for (let markAt = 0; !isStopping; ) {
    const { rows, marks } = await readOutbox(db, performance.now() >= markAt);
    if (marks.length > 0) markAt = performance.now() + markMs;
    if (rows.length + marks.length === 0) await sleep(pollMs);
    else {
      last = await publish(jetstream(nats), subject, last, [...rows, ...marks]);
      await db.query(
        `with gone as (delete from outbox where id = any($1)) insert into outbox_published values (true, $2, $3)
        on conflict (is_only) do update set stream_created_at = excluded.stream_created_at, last = excluded.last`,
        [rows.map(({ id }) => id), created, last],
      );
    }
  }
};

const createStream = async (): Promise<void> => {
  const nats = await openNats();
  const { streams } = await jetstreamManager(nats);
  const limits = { max_age: nanos(7 * 86_400_000), duplicate_window: nanos(120_000), max_msg_size: 8_388_608 };
  const subjects = [`${STREAM.toLowerCase()}.changes`]; // of its own: those of two streams may not overlap
  await streams.add({ name: STREAM, subjects, storage: 'file', discard: 'old', ...limits });
};

/** Runs until a stop is requested or something fails. */
const session = async (): Promise<void> => {
  const db = new pg.Client(databaseOptions);
  db.on('error', () => {}); // the next query fails
  let nats: NatsConnection | undefined;
  try {
    await db.connect();
    nats = await openNats();
    await relay(db, nats);
  } catch (error) {
    log('beginning again in a second', { error: error instanceof Error ? error.message : String(error) });
  }
  // A server that hangs must not prevent the next session.
  await Promise.race([Promise.allSettled([nats?.close(), db.end()]), sleep(2000)]);
};

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => (isStopping = true));
if (process.argv.includes('--create-stream')) await createStream();
else for (; !isStopping; await sleep(isStopping ? 0 : 1000)) await session();
process.exit();
