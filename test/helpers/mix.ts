// A typical mix of changes: new holdings, activity and submissions, updates of existing rows, and a few deletes. They
// refer to rows that are named u1…, c1…, r1…, b.

export interface Size {
  users: number;
  collections: number;
  repositories: number;
}
type Random = (below: number) => number;
const at = (n: number): string => new Date(Date.UTC(2027, 0, 1) + n * 1000).toISOString();

/** Names of new rows start with `tag`, so those of two calls do not collide. */
export const drawMix = (
  random: Random,
  count: number,
  tag: string,
  { users, collections, repositories }: Size,
): string[] => {
  const user = () => `u${1 + random(users)}`;
  const stamps = (n: number) => ({ created_at: at(n), updated_at: at(n) });
  const put = (table: string, record: object) => JSON.stringify({ op: 'put', table, record });
  const remove = (table: string, key: object) => JSON.stringify({ op: 'delete', table, key });
  const items: { user_id: string; id: string }[] = [];
  return Array.from({ length: count }, (_, n) => {
    const way = random(100);
    if (way < 30)
      return put('collection_holders', {
        user_id: user(),
        collection_address: `c${1 + random(collections)}`,
        acquired_at: at(n),
      });
    if (way < 53) {
      const key = { user_id: user(), id: `${tag}-${n}` };
      items.push(key);
      return put('timeline_items', { ...key, type: 'COMMIT', date: at(n), details: { sha: 'abc', message: 'm' } });
    }
    const item = items[random(items.length)];
    if (way < 56 && item !== undefined) return remove('timeline_items', item);
    if (way < 75)
      return put('bounty_submissions', {
        ...{ id: `${tag}-${n}`, bounty_id: 'b', user_id: user(), title: 't', description: 'd', status: 'PENDING' },
        ...{ field_values: [], additional_links: [], comment_count: 0, clap_count: n, ...stamps(n) },
      });
    if (way < 90) {
      const id = user();
      return put('users', { id, username: id, display_name: `Name ${n}`, status: 'active', tags: [], god_mode: false });
    }
    const r = 1 + random(repositories);
    return put('repositories', {
      ...{
        platform: r % 2 === 0 ? 'github' : 'gitlab',
        platform_id: `r${r}`,
        owner: `owner${r % 5000}`,
        name: `n${r}`,
      },
      ...{ category: 'defi', ecosystem: 'one', importance: 'high', status: 'REVIEWED', contributors_count: n },
      ...stamps(n),
    });
  });
};
