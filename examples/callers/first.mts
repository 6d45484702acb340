// The first call: npx node examples/callers/first.mts, while the demo runs.
import { createClient } from '@commonhall/client';

const hall = createClient({ baseUrl: process.env.COMMONHALL_URL ?? 'http://127.0.0.1:8080' });
const { items, total } = await hall.listBounties({ pageSize: 2 });
console.log(
  total,
  items.map(({ title }) => title),
);
