// Who sees what: every operation, every kind of caller, every state, as one table. Each cell is asked for and held
// against status, code, presence of what it is about, guarded keys and cache headers.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { urlOf } from '@commonhall/client';
import { operations } from '@commonhall/contract';
import type { Operation } from '@commonhall/contract/operation';
import type { OperationId } from '@commonhall/contract/table';
import { hashKey, makeKey } from '../src/http/auth.ts';
import { jwtSettings, makeSigningKey, openKeySet, sign } from './helpers/issuer.ts';
import type { Stage } from './helpers/stage.ts';
import { setStage } from './helpers/stage.ts';
import { createWorld, pepper } from './helpers/world.ts';

// Callers: A none, B bad credential, U stranger, O owner of the submission or launch, X member of another sponsor,
// L role below MEMBER here, M member here, E ex-member, G god_mode without membership, D deactivated user.
// States: withheld by the word of the platform; taken down by the operator; vouched for by the platform, in a state that
// nobody knows; overruled, vouched for against the specification. …Item: a part of something public; …Parent: what it is
// part of; count: a public number beside hidden rows.
//
// in, out   200, with or without what the row is about; the same for all, a shared cache may store it
// own       200, private: the caller's own submission with the reason of the moderators, without the wallet
// mine      200, private, with what the row is about;   none: 200, private, without it
// wal       200, private: the sponsor's view, with wallet and reason
// clap      200, private, with the caller's claps
// hid       403 SUBMISSIONS_HIDDEN;   401, 403, 404: UNAUTHORIZED, FORBIDDEN, NOT_FOUND
const table = `
operation                     state          A    B    U    O    X    L    M    E    G    D
getAgent                      public         in   in   in   in   in   in   in   in   in   in
getAgent                      unpublished    404  404  404  404  404  404  404  404  404  404
getAgent                      hidden         404  404  404  404  404  404  404  404  404  404
getAgent                      deleted        404  404  404  404  404  404  404  404  404  404
getAgent                      foreign        in   in   in   in   in   in   in   in   in   in
getAgent                      unknown        404  404  404  404  404  404  404  404  404  404
getAgent                      withheld       404  404  404  404  404  404  404  404  404  404
getAgent                      taken          404  404  404  404  404  404  404  404  404  404
getAgent                      vouched        in   in   in   in   in   in   in   in   in   in
getAgentMetadata              public         in   in   in   in   in   in   in   in   in   in
getAgentMetadata              unpublished    404  404  404  404  404  404  404  404  404  404
getAgentMetadata              hidden         404  404  404  404  404  404  404  404  404  404
getAgentMetadata              deleted        404  404  404  404  404  404  404  404  404  404
getAgentMetadata              foreign        in   in   in   in   in   in   in   in   in   in
getAgentMetadata              unknown        404  404  404  404  404  404  404  404  404  404
getAgentMetadata              withheld       404  404  404  404  404  404  404  404  404  404
getAgentMetadata              taken          404  404  404  404  404  404  404  404  404  404
getAgentMetadata              vouched        in   in   in   in   in   in   in   in   in   in
getBounty                     public         in   in   in   in   in   in   in   in   in   in
getBounty                     unpublished    404  404  404  404  404  404  404  404  404  404
getBounty                     hidden         in   in   in   in   in   in   in   in   in   in
getBounty                     deleted        404  404  404  404  404  404  404  404  404  404
getBounty                     foreign        in   in   in   in   in   in   in   in   in   in
getBounty                     unknown        404  404  404  404  404  404  404  404  404  404
getBounty                     withheld       404  404  404  404  404  404  404  404  404  404
getBounty                     taken          404  404  404  404  404  404  404  404  404  404
getBounty                     vouched        in   in   in   in   in   in   in   in   in   in
getBounty                     count          in   in   in   in   in   in   in   in   in   in
listBountySubmissions         public         in   in   in   in   in   in   in   in   in   in
listBountySubmissions         unpublished    404  404  404  404  404  404  404  404  404  404
listBountySubmissions         hidden         hid  hid  hid  hid  hid  hid  hid  hid  hid  hid
listBountySubmissions         deleted        404  404  404  404  404  404  404  404  404  404
listBountySubmissions         foreign        out  out  out  out  out  out  out  out  out  out
listBountySubmissions         unknown        404  404  404  404  404  404  404  404  404  404
listBountySubmissions         withheld       404  404  404  404  404  404  404  404  404  404
listBountySubmissions         taken          404  404  404  404  404  404  404  404  404  404
listBountySubmissions         vouched        in   in   in   in   in   in   in   in   in   in
listBountySubmissions         withheldItem   out  out  out  out  out  out  out  out  out  out
listBountySubmissions         takenItem      out  out  out  out  out  out  out  out  out  out
listBountySubmissions         vouchedItem    in   in   in   in   in   in   in   in   in   in
listMyBountySubmissions       public         401  401  none own  none none none none none 401
listMyBountySubmissions       unpublished    401  401  404  own  404  404  404  404  404  401
listMyBountySubmissions       hidden         401  401  none own  none none none none none 401
listMyBountySubmissions       deleted        401  401  404  404  404  404  404  404  404  401
listMyBountySubmissions       foreign        401  401  none none none none none none none 401
listMyBountySubmissions       unknown        401  401  404  404  404  404  404  404  404  401
listMyBountySubmissions       withheld       401  401  404  own  404  404  404  404  404  401
listMyBountySubmissions       taken          401  401  404  own  404  404  404  404  404  401
listMyBountySubmissions       vouched        401  401  none own  none none none none none 401
listMyBountySubmissions       withheldItem   401  401  none own  none none none none none 401
listMyBountySubmissions       takenItem      401  401  none own  none none none none none 401
listMyBountySubmissions       vouchedItem    401  401  none own  none none none none none 401
listBountyWinners             public         in   in   in   in   in   in   in   in   in   in
listBountyWinners             unpublished    404  404  404  404  404  404  404  404  404  404
listBountyWinners             hidden         out  out  out  out  out  out  out  out  out  out
listBountyWinners             deleted        404  404  404  404  404  404  404  404  404  404
listBountyWinners             foreign        out  out  out  out  out  out  out  out  out  out
listBountyWinners             unknown        404  404  404  404  404  404  404  404  404  404
listBountyWinners             withheld       404  404  404  404  404  404  404  404  404  404
listBountyWinners             taken          404  404  404  404  404  404  404  404  404  404
listBountyWinners             vouched        in   in   in   in   in   in   in   in   in   in
listBountyWinners             withheldItem   out  out  out  out  out  out  out  out  out  out
listBountyWinners             takenItem      out  out  out  out  out  out  out  out  out  out
listBountyWinners             vouchedItem    in   in   in   in   in   in   in   in   in   in
listMyBounties                public         401  401  none none none mine mine none mine 401
listMyBounties                unpublished    401  401  none none none none mine none mine 401
listMyBounties                hidden         401  401  none none none mine mine none mine 401
listMyBounties                deleted        401  401  none none none none none none none 401
listMyBounties                foreign        401  401  none none mine none none none mine 401
listMyBounties                unknown        401  401  none none none none mine none mine 401
listMyBounties                withheld       401  401  none none none none mine none mine 401
listMyBounties                taken          401  401  none none none none mine none mine 401
listMyBounties                vouched        401  401  none none none mine mine none mine 401
listMyBounties                count          401  401  none none none mine mine none mine 401
listSponsorBounties           public         in   in   in   in   in   in   in   in   in   in
listSponsorBounties           unpublished    out  out  out  out  out  out  out  out  out  out
listSponsorBounties           hidden         in   in   in   in   in   in   in   in   in   in
listSponsorBounties           deleted        out  out  out  out  out  out  out  out  out  out
listSponsorBounties           foreign        out  out  out  out  out  out  out  out  out  out
listSponsorBounties           unknown        404  404  404  404  404  404  404  404  404  404
listSponsorBounties           withheld       out  out  out  out  out  out  out  out  out  out
listSponsorBounties           taken          out  out  out  out  out  out  out  out  out  out
listSponsorBounties           vouched        in   in   in   in   in   in   in   in   in   in
listSponsorBounties           count          in   in   in   in   in   in   in   in   in   in
listSponsorBountySubmissions  public         401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  unpublished    401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  hidden         401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  deleted        401  401  403  403  403  403  404  403  403  401
listSponsorBountySubmissions  foreign        401  401  403  403  403  403  404  403  403  401
listSponsorBountySubmissions  unknown        401  401  404  404  404  404  404  404  404  401
listSponsorBountySubmissions  unknownBounty  401  401  403  403  403  403  404  403  403  401
listSponsorBountySubmissions  withheld       401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  taken          401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  vouched        401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  withheldItem   401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  takenItem      401  401  403  403  403  403  wal  403  403  401
listSponsorBountySubmissions  vouchedItem    401  401  403  403  403  403  wal  403  403  401
getLaunch                     public         in   401  clap clap clap clap clap clap clap 401
getLaunch                     unpublished    404  401  404  404  404  404  404  404  404  401
getLaunch                     hidden         404  401  404  404  404  404  404  404  404  401
getLaunch                     deleted        404  401  404  404  404  404  404  404  404  401
getLaunch                     foreign        in   401  clap clap clap clap clap clap clap 401
getLaunch                     unknown        404  401  404  404  404  404  404  404  404  401
getLaunch                     withheld       404  401  404  404  404  404  404  404  404  401
getLaunch                     taken          404  401  404  404  404  404  404  404  404  401
getLaunch                     overruled      404  401  404  404  404  404  404  404  404  401
getLaunch                     vouched        in   401  clap clap clap clap clap clap clap 401
getLaunch                     count          in   401  clap clap clap clap clap clap clap 401
listFeaturedLaunches          public         in   in   in   in   in   in   in   in   in   in
listFeaturedLaunches          unpublished    out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          hidden         out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          deleted        out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          foreign        in   in   in   in   in   in   in   in   in   in
listFeaturedLaunches          unknown        out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          withheld       out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          taken          out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          overruled      out  out  out  out  out  out  out  out  out  out
listFeaturedLaunches          vouched        in   in   in   in   in   in   in   in   in   in
listFeaturedLaunches          count          in   in   in   in   in   in   in   in   in   in
listUserLaunches              public         in   in   in   in   in   in   in   in   in   in
listUserLaunches              unpublished    out  out  out  out  out  out  out  out  out  out
listUserLaunches              hidden         404  404  404  404  404  404  404  404  404  404
listUserLaunches              deleted        out  out  out  out  out  out  out  out  out  out
listUserLaunches              foreign        out  out  out  out  out  out  out  out  out  out
listUserLaunches              unknown        404  404  404  404  404  404  404  404  404  404
listUserLaunches              withheld       out  out  out  out  out  out  out  out  out  out
listUserLaunches              taken          out  out  out  out  out  out  out  out  out  out
listUserLaunches              overruled      out  out  out  out  out  out  out  out  out  out
listUserLaunches              vouched        in   in   in   in   in   in   in   in   in   in
listUserLaunches              count          in   in   in   in   in   in   in   in   in   in
listCollections               public         in   in   in   in   in   in   in   in   in   in
listCollections               unpublished    out  out  out  out  out  out  out  out  out  out
listCollections               hidden         out  out  out  out  out  out  out  out  out  out
listCollections               deleted        out  out  out  out  out  out  out  out  out  out
listCollections               foreign        in   in   in   in   in   in   in   in   in   in
listCollections               unknown        in   in   in   in   in   in   in   in   in   in
listCollections               withheld       out  out  out  out  out  out  out  out  out  out
listCollections               taken          out  out  out  out  out  out  out  out  out  out
listCollections               overruled      out  out  out  out  out  out  out  out  out  out
listCollections               vouched        in   in   in   in   in   in   in   in   in   in
listCollections               wordless       in   in   in   in   in   in   in   in   in   in
getCollection                 public         in   in   in   in   in   in   in   in   in   in
getCollection                 unpublished    404  404  404  404  404  404  404  404  404  404
getCollection                 hidden         404  404  404  404  404  404  404  404  404  404
getCollection                 deleted        404  404  404  404  404  404  404  404  404  404
getCollection                 foreign        in   in   in   in   in   in   in   in   in   in
getCollection                 unknown        404  404  404  404  404  404  404  404  404  404
getCollection                 withheld       404  404  404  404  404  404  404  404  404  404
getCollection                 taken          404  404  404  404  404  404  404  404  404  404
getCollection                 overruled      404  404  404  404  404  404  404  404  404  404
getCollection                 vouched        in   in   in   in   in   in   in   in   in   in
getCollection                 wordless       in   in   in   in   in   in   in   in   in   in
getCollection                 withheldItem   out  out  out  out  out  out  out  out  out  out
getCollection                 takenItem      out  out  out  out  out  out  out  out  out  out
getCollection                 vouchedItem    in   in   in   in   in   in   in   in   in   in
listCollectionHolders         public         in   in   in   in   in   in   in   in   in   in
listCollectionHolders         unpublished    404  404  404  404  404  404  404  404  404  404
listCollectionHolders         hidden         404  404  404  404  404  404  404  404  404  404
listCollectionHolders         deleted        404  404  404  404  404  404  404  404  404  404
listCollectionHolders         foreign        in   in   in   in   in   in   in   in   in   in
listCollectionHolders         unknown        404  404  404  404  404  404  404  404  404  404
listCollectionHolders         withheld       404  404  404  404  404  404  404  404  404  404
listCollectionHolders         taken          404  404  404  404  404  404  404  404  404  404
listCollectionHolders         overruled      404  404  404  404  404  404  404  404  404  404
listCollectionHolders         vouched        in   in   in   in   in   in   in   in   in   in
listCollectionHolders         wordless       in   in   in   in   in   in   in   in   in   in
listContests                  public         in   in   in   in   in   in   in   in   in   in
listContests                  unpublished    out  out  out  out  out  out  out  out  out  out
listContests                  hidden         out  out  out  out  out  out  out  out  out  out
listContests                  deleted        out  out  out  out  out  out  out  out  out  out
listContests                  foreign        in   in   in   in   in   in   in   in   in   in
listContests                  unknown        out  out  out  out  out  out  out  out  out  out
listContests                  withheld       out  out  out  out  out  out  out  out  out  out
listContests                  taken          out  out  out  out  out  out  out  out  out  out
listContests                  vouched        in   in   in   in   in   in   in   in   in   in
getContestSubmission          public         in   in   in   in   in   in   in   in   in   in
getContestSubmission          unpublished    404  404  404  404  404  404  404  404  404  404
getContestSubmission          hidden         404  404  404  404  404  404  404  404  404  404
getContestSubmission          deleted        404  404  404  404  404  404  404  404  404  404
getContestSubmission          foreign        404  404  404  404  404  404  404  404  404  404
getContestSubmission          unknown        404  404  404  404  404  404  404  404  404  404
getContestSubmission          withheld       404  404  404  404  404  404  404  404  404  404
getContestSubmission          taken          404  404  404  404  404  404  404  404  404  404
getContestSubmission          overruled      404  404  404  404  404  404  404  404  404  404
getContestSubmission          vouched        in   in   in   in   in   in   in   in   in   in
getContestSubmission          withheldParent 404  404  404  404  404  404  404  404  404  404
getContestSubmission          takenParent    404  404  404  404  404  404  404  404  404  404
getContestSubmission          vouchedParent  in   in   in   in   in   in   in   in   in   in
getContestSubmission          takenItem      out  out  out  out  out  out  out  out  out  out
getUserTimeline               public         in   in   in   in   in   in   in   in   in   in
getUserTimeline               unpublished    out  out  out  out  out  out  out  out  out  out
getUserTimeline               hidden         404  404  404  404  404  404  404  404  404  404
getUserTimeline               deleted        out  out  out  out  out  out  out  out  out  out
getUserTimeline               foreign        out  out  out  out  out  out  out  out  out  out
getUserTimeline               unknown        404  404  404  404  404  404  404  404  404  404
getUserTimeline               withheld       out  out  out  out  out  out  out  out  out  out
getUserTimeline               taken          out  out  out  out  out  out  out  out  out  out
getUserTimeline               overruled      out  out  out  out  out  out  out  out  out  out
getUserTimeline               vouched        in   in   in   in   in   in   in   in   in   in
getUserTimeline               takenItem      out  out  out  out  out  out  out  out  out  out
getUserTimeline               unloaded       out  out  out  out  out  out  out  out  out  out
getUserTimeline               nameless       in   in   in   in   in   in   in   in   in   in
getScoreTiers                 public         in   in   in   in   in   in   in   in   in   in
listRepositories              public         in   in   in   in   in   in   in   in   in   in
listRepositories              unpublished    in   in   in   in   in   in   in   in   in   in
listRepositories              hidden         in   in   in   in   in   in   in   in   in   in
listRepositories              deleted        out  out  out  out  out  out  out  out  out  out
listRepositories              foreign        in   in   in   in   in   in   in   in   in   in
listRepositories              unknown        out  out  out  out  out  out  out  out  out  out
listRepositories              taken          out  out  out  out  out  out  out  out  out  out
`;

interface Cell {
  status: number;
  code?: string;
  cache: string;
  isThere?: boolean;
  /** Guarded keys that must be there; every other must not. */
  keys: readonly string[];
}
const refused = (status: number, code: string): Cell => ({ status, code, cache: 'no-store', keys: [] });
const shown = (cache: string, isThere: boolean, keys: string[] = []): Cell => ({ status: 200, cache, isThere, keys });
const open = 'public, max-age=1';
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

const [names = [], ...rows] = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const callers = names.slice(2);

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
/** Each caller's credentials: half of them keys, half of them JWTs; B in every way it can be bad. */
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

/** Guarded keys that carry something, wherever they stand in an answer. */
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

let checked = 0;
const checkCell = async (operation: Operation, state: string, caller: string, word: string): Promise<void> => {
  const cell = cells[word];
  assert.ok(cell, `the word ${word}`);
  const { ways, marker } = stage.ask(operation.id, state);
  const all = (credentials[caller] ?? []).flatMap((authorization) => ways.map((args) => ({ authorization, args })));
  for (const { authorization, args } of all) {
    const where = `${operation.id} ${state} ${caller} ${word} ${JSON.stringify(args)}`;
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const response = await api.get(urlOf('', operation.id, args), { headers });
    const text = await response.text();
    const body = JSON.parse(text) as { code?: string; data?: { items?: unknown[]; total?: number } };
    assert.equal(response.status, cell.status, `${where}: ${text.slice(0, 200)}`);
    assert.equal(body.code, cell.code, where);
    assert.equal(response.headers.get('cache-control'), cell.cache, where);
    assert.equal(response.headers.get('vary'), operation.auth === 'none' ? null : 'Authorization', where);
    if (cell.isThere !== undefined) assert.equal(text.includes(marker), cell.isThere, `${where}: ${marker}`);
    // Every list of the stage fits one page: its total is what everybody can see.
    if (body.data?.items !== undefined && body.data.total !== undefined)
      assert.equal(body.data.total, body.data.items.length, `${where}: total`);
    const expected: readonly string[] = cell.isThere ? [...cell.keys, ...(holdersKeys[operation.id] ?? [])] : [];
    assert.deepEqual([...guardedKeys(body.data)].sort(), [...new Set(expected)].sort(), where);
    // Canaries: what is private stands in every row of the stage, and may leave in these cells only.
    assert.equal(/canary-wallet/.test(text), word === 'wal', `${where}: wallet`);
    assert.equal(/canary-reason/.test(text), word === 'wal' || word === 'own', `${where}: reason`);
    for (const secret of stage.secretsFor(operation.id, caller))
      assert.ok(!text.includes(secret), `${where}: ${secret}`);
  }
  checked += 1;
};

for (const operation of Object.values<Operation>(operations))
  test(`${operation.id}: each caller sees what the table says`, async () => {
    const own = rows.filter(([id]) => id === operation.id);
    assert.ok(own.length > 0, 'has rows in the table');
    for (const [, state = '', ...words] of own) {
      assert.equal(words.length, callers.length, state);
      for (const [index, caller] of callers.entries()) await checkCell(operation, state, caller, words[index]!);
    }
  });

test('every cell was asked for', (t) => {
  t.diagnostic(`${checked} cells`);
  assert.equal(checked, rows.length * callers.length);
  assert.ok(checked > 1900);
});
