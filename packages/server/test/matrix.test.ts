// The access table: what each kind of caller sees of a row in each state, for every operation (test/access). Each cell
// is requested and checked for status, code, presence of the row, guarded keys and cache headers.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';
import { urlOf } from '@commonhall/contract/url';
import { createWorld, pepper } from '../../../test/helpers/world.ts';
import { hashKey, makeKey } from '../src/http/auth.ts';
import { access } from './access/all.ts';
import { jwtSettings, makeSigningKey, openKeySet, sign } from './helpers/issuer.ts';
import type { Stage } from './helpers/stage.ts';
import { setStage } from './helpers/stage.ts';

// Callers: A none, B bad credential, U stranger, O owner of the submission or launch, X member of another sponsor,
// L role below MEMBER here, M member here, E ex-member, G god_mode without membership, D deactivated user.
// States: withheld: the platform set visibility to hidden; taken: taken down by the operator; vouched: visibility is
// public, with an unknown status; overruled: visibility is public, but the specification hides the row. …Item: a part
// of a public row; …Parent: the row that it is part of; count: a public number in spite of hidden rows.
//
// in, out   200, with or without the row; the same for all callers, a shared cache may store it
// own       200, private: the caller's own submission with the reason of the moderators, without the wallet
// mine      200, private, with the row;   none: 200, private, without it
// wal       200, private: the sponsor's view, with wallet and reason
// clap      200, private, with the caller's claps
// hid       403 SUBMISSIONS_HIDDEN;   401, 403, 404: UNAUTHORIZED, FORBIDDEN, NOT_FOUND
interface Cell {
  status: number;
  code?: string;
  cache: string;
  isThere?: boolean;
  /** Guarded keys that must be present; all others must be absent. */
  keys: readonly string[];
}
const refused = (status: number, code: string): Cell => ({ status, code, cache: 'no-store', keys: [] });
const shown = (cache: string, isThere: boolean, keys: string[] = []): Cell => ({ status: 200, cache, isThere, keys });
const open = 'public, max-age=1, must-revalidate';
const closed = 'private, no-store';
const cells: Record<string, Cell> = {
  in: shown(open, true),
  out: shown(open, false),
  own: shown(closed, true, ['moderationReason']),
  mine: shown(closed, true),
  none: shown(closed, false),
  wal: shown(closed, true, ['moderationReason', 'rewardWalletAddress', 'contestName']),
  clap: shown(closed, true, ['myClaps']),
  hid: refused(403, 'SUBMISSIONS_HIDDEN'),
  401: refused(401, 'UNAUTHORIZED'),
  403: refused(403, 'FORBIDDEN'),
  404: refused(404, 'NOT_FOUND'),
};

const callers = ['A', 'B', 'U', 'O', 'X', 'L', 'M', 'E', 'G', 'D'];

const world = await createWorld();
const { add, keyFor } = world;
const stage: Stage = await setStage(world);
const signer = await makeSigningKey('first');
const keySet = await openKeySet([signer]);
after(() => keySet.close());
const api = await world.serve(jwtSettings(keySet.url));

const storedKey = async (row: Record<string, unknown>) => {
  const key = makeKey('live');
  await add('api_keys', { user_id: 'ulla', hash: hashKey(key, pepper), ...row });
  return key;
};
const jwt = (sub: string) => sign(signer, { sub });
/** The credentials of each caller, API keys and JWTs; B has one for every way that a credential can be bad. */
const credentials: Record<string, (string | undefined)[]> = {
  A: [undefined],
  B: [
    'nonsense',
    'Bearer nonsense',
    `Bearer ${makeKey('live')}`,
    `Bearer ${await storedKey({ expires_at: '2026-01-06T00:00:00Z' })}`,
    `Bearer ${await storedKey({ revoked_at: '2026-01-06T00:00:00Z' })}`,
    `Bearer ${await sign(await makeSigningKey('first'), { sub: 'mia' })}`,
    `Bearer ${await sign(await makeSigningKey('first', 'ES384'), { sub: 'mia' })}`,
  ],
  U: [`Bearer ${await keyFor('ulla')}`],
  O: [`Bearer ${await jwt('olga')}`],
  X: [`Bearer ${await keyFor('xena')}`],
  L: [`Bearer ${await jwt('lou')}`],
  M: [`Bearer ${await keyFor('mia')}`, `Bearer ${await jwt('mia')}`],
  E: [`Bearer ${await jwt('eva')}`],
  G: [`Bearer ${await keyFor('gus')}`, `Bearer ${await jwt('gus')}`],
  D: [`Bearer ${await jwt('dora')}`, `Bearer ${await keyFor('dora')}`],
};

/** Guarded keys anywhere in an answer; moderationReason only if it is not null. */
const guardedKeys = (value: unknown, found = new Set<string>()): Set<string> => {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, inner] of Object.entries(value)) {
    const always = ['rewardWalletAddress', 'myClaps', 'contestName'].includes(key);
    if (always || (key === 'moderationReason' && inner !== null)) found.add(key);
    guardedKeys(inner, found);
  }
  return found;
};

const holdersKeys: Partial<Record<OperationId, string[]>> = { listCollectionHolders: ['contestName'] };

/** The page of the explorer has the status of the API, and nothing that anonymous callers may not see. */
const checkPage = async (operation: Operation, path: string, status: number, where: string): Promise<void> => {
  const response = await fetch(api.url + path);
  const text = await response.text();
  assert.equal(response.status, operation.auth === 'required' ? 200 : status, `${where}: its page`);
  assert.ok(!/canary-/.test(text), `${where}: its page has ${/canary-[\w-]+/.exec(text)?.[0]}`);
};

let checked = 0;
const checkCell = async (operation: Operation, state: string, caller: string, word: string): Promise<void> => {
  const cell = cells[word];
  assert.ok(cell, `there is no cell word ${word}`);
  const { args: ways, marker } = access[operation.id].ask(state);
  // Where credentials are not read, one of each caller is enough.
  const tried = (credentials[caller] ?? []).slice(0, operation.auth === 'none' ? 1 : undefined);
  const all = tried.flatMap((authorization) => [ways].flat().map((args) => ({ authorization, args })));
  for (const { authorization, args } of all) {
    const where = `${operation.id} ${state} ${caller} ${word} ${JSON.stringify(args)}`;
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await api.get(urlOf('', operation.id, args), { headers });
    const text = await response.text();
    const body = JSON.parse(text) as { code?: string; data?: { items?: unknown[]; total?: number } };
    assert.equal(response.status, cell.status, `${where}: ${text.slice(0, 200)}`);
    assert.equal(body.code, cell.code, where);
    assert.equal(response.headers.get('cache-control'), cell.cache, where);
    const vary: string[] = [
      ...(operation.auth === 'none' ? [] : ['Authorization']),
      ...(cell.cache.startsWith('public') ? ['Accept-Encoding'] : []),
    ];
    assert.equal(response.headers.get('vary') ?? '', vary.join(', '), where);
    if (cell.isThere !== undefined) assert.equal(text.includes(marker), cell.isThere, `${where}: ${marker}`);
    // Every list of the stage fits on one page, so its total must equal the number of visible items.
    if (body.data?.items !== undefined && body.data.total !== undefined)
      assert.equal(body.data.total, body.data.items.length, `${where}: total`);
    const expected: readonly string[] = cell.isThere ? [...cell.keys, ...(holdersKeys[operation.id] ?? [])] : [];
    assert.deepEqual([...guardedKeys(body.data)].sort(), [...new Set(expected)].sort(), where);
    // Every row of the stage contains canaries as private values; only these cells may show them.
    assert.equal(/canary-wallet/.test(text), word === 'wal', `${where}: wallet`);
    assert.equal(/canary-reason/.test(text), word === 'wal' || word === 'own', `${where}: reason`);
    for (const secret of stage.secretsFor(operation.id, caller))
      assert.ok(!text.includes(secret), `${where}: ${secret}`);
    if (caller === 'A') await checkPage(operation, urlOf('/explore', operation.id, args), cell.status, where);
  }
  checked += 1;
};

for (const operation of Object.values<Operation>(operations))
  test(`${operation.id}: each caller sees what the access table says`, async () => {
    const rows = Object.entries(access[operation.id].rows);
    assert.ok(rows.length > 0, 'has rows in the table');
    for (const [state, row] of rows) {
      const words = row.split(/\s+/);
      assert.ok(words.length === 1 || words.length === callers.length, state);
      for (const [index, caller] of callers.entries())
        await checkCell(operation, state, caller, words[index] ?? words[0]!);
    }
  });

test('every cell of the access table was checked', (t) => {
  t.diagnostic(`${checked} cells`);
  assert.ok(checked > 2700);
});
