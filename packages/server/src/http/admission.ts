// Charges each request to the budget of its caller, in the order of gap G4: the address or a known token first, a new
// token when it has proved valid, a search before it is run, and the database time when it is known.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from './auth.ts';
import type { Standing } from './budget.ts';
import { costOf } from './budget.ts';
import type { ApiFailure } from './errors.ts';
import { headerValues } from './headers.ts';
import type { Account, Limits } from './limits.ts';
import { rateLimitFields, tooMany } from './limits.ts';

export interface Admission {
  account: Account;
  standing: Standing;
  /** Units charged so far. */
  units: number;
}

/** The token of a request; null without one, a failure when the header is malformed. */
export const readToken = (request: FastifyRequest): string | null | ApiFailure => {
  try {
    return bearerToken(headerValues(request.raw, 'authorization'));
  } catch (error) {
    return error as ApiFailure;
  }
};

/** Charges the first unit and calls back with a failure, or nothing. */
export const enter = (
  limits: Limits,
  request: FastifyRequest,
  readsTokens: boolean,
  done: (refusal: ApiFailure | undefined) => void,
): void => {
  const token = readsTokens ? readToken(request) : null;
  const account = limits.accountOf(request.ip ?? '', typeof token === 'string' ? token : null);
  if (account === null) {
    done(undefined);
    return;
  }
  const admitted = (standing: Standing) => {
    request.admission = { account, standing, units: 1 };
    done(standing.isOver ? tooMany(account, standing) : undefined);
  };
  const standing = limits.charge(account, 1);
  if (standing instanceof Promise) standing.then(admitted);
  else admitted(standing);
};

/** Charges a request that is rejected before any hook sees it; returns the failure to send. */
export const refuse = async (limits: Limits, address: string, refusal: ApiFailure): Promise<ApiFailure> => {
  const account = limits.accountOf(address, null);
  if (account === null) return refusal;
  const standing = await limits.charge(account, 1);
  return standing.isOver ? tooMany(account, standing) : refusal;
};

/** After the parameters: charges a request up to these units, and throws 429 when that is too much. */
export const admit = async (limits: Limits, request: FastifyRequest, units: number): Promise<void> => {
  const { admission } = request;
  if (admission === null) return;
  const more = units - admission.units;
  if (more > 0) {
    admission.standing = await limits.charge(admission.account, more);
    admission.units += more;
  }
  if (admission.standing.isOver) throw tooMany(admission.account, admission.standing);
};

/** For a token that has proved valid: moves the units that were charged to the address to the token. */
export const acceptToken = async (limits: Limits, request: FastifyRequest, token: string): Promise<void> => {
  const account = limits.accept(token);
  const { admission } = request;
  if (admission?.account.policy === 'token') return;
  const units = admission?.units ?? 1;
  if (admission !== null) await limits.charge(admission.account, -units);
  request.admission = account && { account, units, standing: await limits.charge(account, units) };
  if (request.admission?.standing.isOver) throw tooMany(request.admission.account, request.admission.standing);
};

/** Charges the database time, and sends what is left, unless a shared cache would reveal it to other callers. */
export const settle = (limits: Limits, { admission, timing }: FastifyRequest, reply: FastifyReply): void => {
  if (admission === null) return;
  const { account, standing } = admission;
  const more = costOf(undefined, timing.databaseMs) - 1;
  if (more > 0) void limits.charge(account, more);
  if (String(reply.getHeader('cache-control')).startsWith('public')) return;
  const fields = rateLimitFields(account, { ...standing, remaining: Math.max(0, standing.remaining - more) });
  reply.header('ratelimit', fields.ratelimit);
  if (account.policy === 'network') reply.header('ratelimit-policy', fields['ratelimit-policy']);
};
