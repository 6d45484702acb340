// What goes wrong with the database. For a request, one that is away, slow or silent is one kind of error, `unavailable`;
// for an operator's command each mistake has a line that says what to do.

interface Unavailable extends Error {
  unavailable: true;
}
export const unavailable = (message: string, cause?: unknown): Unavailable =>
  Object.assign(new Error(message, { cause }), { unavailable: true as const });

/** Not a fault to be looked into: one request too many, told apart so that it is not logged as one. The same for all. */
export const overloaded = Object.assign(unavailable('too many requests wait for the database'), {
  isOverload: true as const,
});

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

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? '');

/** A login that PostgreSQL itself refused. Poolers report a primary that is away as a failed login too, by other codes. */
export const isRefusedLogin = (error: unknown): boolean => ['28000', '28P01'].includes(codeOf(error));

/** The mistakes of an operator, as one line with the remedy; any other error as it is. */
export const operatorProblem = (error: unknown, url: string): unknown => {
  const { hostname, port, username, pathname } = new URL(url);
  const server = `PostgreSQL at ${hostname || 'localhost'}:${port || 5432}`;
  const code = codeOf(error);
  const remedies: Record<string, string> = {
    '28000': `${server} refuses the login of "${username}": correct the user in DATABASE_URL, or allow it in pg_hba.conf`,
    '28P01': `${server} refuses the password of "${username}": correct it in DATABASE_URL`,
    '3D000': `${server} has no database "${pathname.slice(1)}": create it, or correct DATABASE_URL`,
    '42P01': `the database "${pathname.slice(1)}" has no schema of Commonhall: run: commonhall migrate`,
    '42501': `"${username}" may not do this in the database "${pathname.slice(1)}" (${(error as Error).message}): use the owner`,
  };
  const isAway = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'];
  const remedy = isAway.includes(code)
    ? `cannot reach ${server} (${code}): start it, or correct DATABASE_URL`
    : remedies[code];
  return remedy === undefined ? error : new Error(remedy, { cause: error });
};
