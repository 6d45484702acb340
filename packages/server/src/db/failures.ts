// What goes wrong with the database. For a request, one that is away, slow or silent is one kind of error, `unavailable`;
// for an operator's command each mistake has a line that says what to do.

interface Unavailable extends Error {
  unavailable: true;
}
export const unavailable = (message: string, cause?: unknown): Unavailable =>
  Object.assign(new Error(message, { cause }), { unavailable: true as const });

/** Not a fault to be looked into: one request too many, marked so that it is not logged as one. The same for all. */
export const overloaded = Object.assign(unavailable('too many requests wait for the database'), {
  isOverload: true as const,
});

export const isOverload = (error: unknown): boolean =>
  (error as { isOverload?: unknown } | undefined)?.isOverload === true;

const timedOut = '57014';
/** Whether a statement was ended because it took too long: its connection stays whole. */
export const isTimeout = (error: unknown): boolean => {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === timedOut || cause?.code === timedOut;
};

// PostgreSQL's classes for "not now": connection, rollback (a replica's conflict with recovery), resources, operator
// intervention (a cancelled statement too).
const transientClasses = ['08', '40', '53', '57'];
export const isTransient = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  if (error instanceof TypeError || error instanceof RangeError) return false; // ours
  // Without a severity it is not PostgreSQL's: "connection terminated" is pg's own, EPIPE and its kin are the system's.
  if (typeof code !== 'string' || !('severity' in (error as object))) return true;
  return transientClasses.includes(code.slice(0, 2));
};

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '');

/**
 * What waiting does not solve: a login that PostgreSQL itself refused (poolers report a primary that is away as a failed
 * login too, by other codes), a missing right, a missing schema.
 */
export const needsOperator = (error: unknown): boolean => ['28000', '28P01', '42501', '42P01'].includes(codeOf(error));

/** No connection could be opened. A missing file or an error of ours has no such system call. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof AggregateError ||
  ['connect', 'getaddrinfo'].includes(String((error as { syscall?: unknown }).syscall));

/** A command that needs one session throughout has a pooler in its way. */
export const poolerProblem = (setting = 'DATABASE_URL'): Error =>
  Object.assign(
    new Error(
      `${setting} leads through a pooler, which does not keep one session for this command: connect it to PostgreSQL itself`,
    ),
    { isPoolerProblem: true },
  );
/** Also when the pooler has refused the connection, for settings that it cannot keep. */
export const isPoolerProblem = (error: unknown): boolean =>
  (error as { isPoolerProblem?: unknown } | null)?.isPoolerProblem === true ||
  (codeOf(error) === '08P01' && /unsupported startup parameter/.test((error as Error).message));

/** The mistakes of an operator, as one line with the remedy; any other error as it is. */
export const operatorProblem = (error: unknown, url: string, setting = 'DATABASE_URL'): unknown => {
  if (isPoolerProblem(error)) return poolerProblem(setting);
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
