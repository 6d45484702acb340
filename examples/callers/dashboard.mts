// A dashboard of bounties: how many there are by status and, of the open ones, by category; how many were published in
// each of the last twelve months; and the open ones that close first. npx node examples/callers/dashboard.mts, while the demo runs.
// Three requests, however many bounties there are. Without counts it had to read all of them, a hundred at a time.
import { createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const now = new Date();
const nextMonth = (years: number) =>
  new Date(Date.UTC(now.getUTCFullYear() + years, now.getUTCMonth() + 1)).toISOString();

const [open, months, closing] = await Promise.all([
  hall.countBounties({ status: 'OPEN', by: 'status,category' }),
  hall.countBounties({ from: nextMonth(-1), to: nextMonth(0), by: 'month' }),
  hall.listBounties({ status: 'OPEN', sortBy: 'submissionEnd', from: now.toISOString(), pageSize: 5 }),
]);

console.log(`${open.total} open bounties`);
for (const { by, values } of open.groups) {
  console.log(`By ${by}${by === 'status' ? '' : ', of the open ones'}`);
  for (const { value, count } of values) console.log(`  ${value ?? 'none'}: ${count}`);
}
console.log('Published in each month');
for (const { value, count } of months.groups[0]?.values ?? []) console.log(`  ${value}: ${count}`);
console.log('The next to close');
for (const { title, sponsor, submissionEnd } of closing.items)
  console.log(`  ${submissionEnd?.slice(0, 10)}  ${title}, by ${sponsor.name}`);
