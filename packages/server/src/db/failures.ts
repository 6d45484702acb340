// A database that is away, slow or silent becomes one kind of error, `unavailable`.

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
