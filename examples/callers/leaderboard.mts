// A weekly leaderboard: the first ten of the newest launch week, and how many launches each of the weeks before it had.
// npx node examples/callers/leaderboard.mts, while the demo runs. Two requests; one for each week without counts.
import { createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const weeks = await hall.listLaunchWeeks({ pageSize: 12 });
const [newest] = weeks.items;
if (newest === undefined) throw new Error('there is no launch week yet');

const { items, total } = await hall.listLaunches({ launchWeek: newest.launchWeek, pageSize: 10 });
console.log(`Launches of the week of ${newest.launchWeek.slice(0, 10)}, ${total} in all`);
for (const { weekRank, name, launchWeekRating, submittedBy } of items)
  console.log(`${String(weekRank).padStart(3)}. ${name} (${launchWeekRating}), by ${submittedBy.username}`);

console.log(`The last ${weeks.items.length} of ${weeks.total} weeks`);
for (const { launchWeek, launchCount } of weeks.items) console.log(`${launchWeek.slice(0, 10)}  ${launchCount}`);
