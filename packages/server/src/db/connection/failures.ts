// Failures of the database. For a request, a database that is down, slow or silent is one kind of error, Unavailable.
// For an operator's command, each mistake has a line with the remedy.
import { Overloaded, Unavailable } from '../../gates.ts';
import { versionEnd } from '../lists/installable.ts';

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/** All requests share this object: a stack trace for each would cost more than the answer. */
export const overloaded = new Overloaded('queue', 'too many requests wait for the database');

const timedOut = '57014';
/** For an error that is transient. A statement that was cancelled because it took too long leaves its connection usable. */
export const unavailableFor = (error: unknown): Unavailable =>
  codeOf(error) === timedOut
    ? new Unavailable('statement timeout', 'the statement took too long', error)
    : new Unavailable('connection', 'the database did not answer', error);

// PostgreSQL's error classes for temporary conditions: connection, rollback (a replica's conflict with recovery),
// resources, operator intervention (also a cancelled statement).
const transientClasses = ['08', '40', '53', '57'];
export const isTransient = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  if (error instanceof TypeError || error instanceof RangeError) return false; // a bug in this program
  // An error without a severity is not from PostgreSQL: pg reports "connection terminated", the system EPIPE and the
  // like.
  if (typeof code !== 'string' || !('severity' in (error as object))) return true;
  return transientClasses.includes(code.slice(0, 2));
};

const listTable = new RegExp(`"\\w+${versionEnd}\\.`);
/**
 * Whether an installed list is gone. On a replica that catches up it may be dropped before a server of the build that
 * reads it has noticed that it is not ready any more.
 */
export const isListGone = (error: unknown): boolean =>
  codeOf(error) === '42P01' && listTable.test((error as Error).message);

/**
 * Problems that waiting does not solve: a login that PostgreSQL itself refused, a missing privilege, a missing schema.
 * Poolers also report a primary that is down as a failed login, but with other codes.
 */
export const needsOperator = (error: unknown): boolean =>
  ['28000', '28P01', '3D000', '42501', '42P01'].includes(codeOf(error));

/** Whether no connection could be opened. A missing file or a bug in this program has no such system call. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof AggregateError ||
  ['connect', 'getaddrinfo'].includes(String((error as { syscall?: unknown }).syscall));

/** For a command that needs one session throughout, but is connected through a pooler. */
export class PoolerProblem extends Error {
  constructor(setting = 'DATABASE_URL') {
    super(
      `${setting} leads through a pooler, which does not keep one session for this command: connect it to PostgreSQL itself`,
    );
  }
}
/** Also true when the pooler has refused the connection because of settings that it does not support. */
export const isPoolerProblem = (error: unknown): boolean =>
  error instanceof PoolerProblem ||
  (codeOf(error) === '08P01' && /unsupported startup parameter/.test((error as Error).message));

/** For a command that writes, but is connected to a server that accepts no writes. */
export class ReplicaProblem extends Error {
  readonly code = '25006'; // as PostgreSQL has it for a write there
  constructor(url: string, setting = 'DATABASE_URL') {
    const { hostname, port } = new URL(url);
    super(
      `${setting} leads to a server that accepts no writes, because it is a replica or read-only (PostgreSQL at ${hostname || 'localhost'}:${port || 5432}): set ${setting} to the primary, or to an address that always leads to it`,
    );
  }
}

/** An operator's mistake as one line with the remedy; any other error unchanged. */
export const operatorProblem = (error: unknown, url: string, setting = 'DATABASE_URL'): unknown => {
  if (isPoolerProblem(error)) return new PoolerProblem(setting);
  if (codeOf(error) === '25006') return new ReplicaProblem(url, setting);
  const { hostname, port, username, pathname } = new URL(url);
  const server = `PostgreSQL at ${hostname || 'localhost'}:${port || 5432}`;
  const code = codeOf(error);
  const noSchema = `the database "${pathname.slice(1)}" does not have the Commonhall schema; run: commonhall migrate`;
  const remedies: Record<string, string> = {
    '28000': `${server} refuses the login of "${username}": correct the user in ${setting}, or allow it in pg_hba.conf`,
    '28P01': `${server} refuses the password of "${username}": correct it in ${setting}`,
    '55P03': 'another writer has held the writer lock for too long; to see which: commonhall status',
    '3D000': `${server} has no database "${pathname.slice(1)}": create it, or correct ${setting}`,
    '42P01': noSchema,
    '42883': noSchema,
    '42501': `"${username}" has no right to this in the database "${pathname.slice(1)}" (${(error as Error).message}): grant it, or correct the user in ${setting}`,
  };
  const remedy = isUnreachable(error)
    ? `cannot reach ${server} (${code}): start it, or correct ${setting}`
    : remedies[code];
  return remedy === undefined ? error : new Error(remedy, { cause: error });
};
