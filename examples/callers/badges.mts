// A badge checker: whether a person holds a badge of a collection, since when, and what else they hold.
// npx node examples/callers/badges.mts ada <address>, while the demo runs. One request for each hundred badges of the
// person. Without their list it had to read the holders of the collection, a hundred at a time.
import { ApiError, createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const [username = 'ada', address] = process.argv.slice(2);

try {
  let isHeld = false;
  for await (const badge of hall.items.listUserBadges({ username, pageSize: 100 })) {
    isHeld ||= badge.address === address;
    console.log(
      `${badge.acquiredAt.slice(0, 10)}  ${badge.name}${badge.address === address ? ', which you asked for' : ''}`,
    );
  }
  if (address !== undefined) console.log(`${username} ${isHeld ? 'holds it' : 'does not hold it'}`);
} catch (error) {
  if (!(error instanceof ApiError) || error.code !== 'NOT_FOUND') throw error;
  console.log(`there is no user ${username}`);
}
