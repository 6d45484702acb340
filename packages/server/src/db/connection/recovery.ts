// What a failover or a switchover looks like to a client of the database: a server that goes away, is not up yet, or is no
// primary (any more). Against these errors, and no others, it helps to wait or to ask another server.

/** admin_shutdown, crash_shutdown, cannot_connect_now; read_only_sql_transaction: a write on a replica. */
const states = ['57P01', '57P02', '57P03', '25006'];
const connectionClass = '08'; // PostgreSQL's, and what poolers report when they cannot reach it
const systemCodes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EAI_AGAIN'],
];
/** pg reports a lost connection, and one that takes too long to open, without a code. */
const lost = /^(Connection terminated|timeout expired|Client has encountered a connection error)/;

/** Also for an error that was caused by such a one. */
export const isServerGone = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (states.includes(code) || systemCodes.includes(code))) return true;
  if ('severity' in error) return typeof code === 'string' && code.startsWith(connectionClass);
  return lost.test(error.message) || isServerGone(error.cause);
};
