// The gates that can refuse a request, in the order in which a request meets them. The log line of a refused request
// and the metric commonhall_refused_total name the gate. One more gate sends no response: a connection whose caller does
// not read is closed (http/slow-readers.ts, commonhall_connections_closed_total). Checks of the request itself are no gates:
// gap G4 has their order.

export const gates = {
  'rate limit': '429: the address or the token has used its budget (http/limits.ts)',
  arrival: '503: no short statement would get a connection in time, so nothing is begun (app.ts)',
  'event loop': '503: this process is late by more than MAX_EVENT_LOOP_DELAY_MS (http/event-loop.ts)',
  'key set': '503: a JWT cannot be checked, because the key set at JWT_JWKS cannot be read (http/jwt.ts)',
  queue:
    '503: a statement would not get a connection in time, or its caller fills half of the queue (db/connection/queue.ts), or too many wait for a server (db/connection/outage.ts)',
  wait: '503: a statement has waited DATABASE_WAIT_MS for a connection, or behind another one (db/connection/pool.ts)',
  connection:
    '503: PostgreSQL cannot be reached, or the connection is lost or silent, for longer than a read waits (db/connection/outage.ts)',
  'statement timeout': '503: a statement ran for STATEMENT_TIMEOUT_MS (PostgreSQL)',
  deadline: '503: no response within 20 seconds (http/server.ts)',
} as const;

export type Gate = keyof typeof gates;

/** Something that a request needs does not answer now: it is down, slow or silent. */
export class Unavailable extends Error {
  readonly gate: Gate;
  constructor(gate: Gate, message: string, cause?: unknown) {
    super(message, { cause });
    this.gate = gate;
  }
}
/** Refused because of too many others. Not a fault, so it is not logged as an error. */
export class Overloaded extends Unavailable {}
