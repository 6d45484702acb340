// Which rows the public export contains, as SQL over a row `t` or a given alias. Each condition reads is_public of its
// table; that predicate itself is defined in the schema.

// gap G12: until the bounty is completed only the sponsor sees who won.
const completed = '(select b.is_completed from bounties b where b.id = t.bounty_id)';
export const announced = {
  status: `case when t.status = 'WINNER' and not ${completed} then 'APPROVED' else t.status end`,
  place: `case when ${completed} then t.prize_place end`,
};
export const visibleSubmission = (alias: string) =>
  `${alias}.is_public and exists (select from bounties b where b.id = ${alias}.bounty_id and b.is_public and b.submissions_visible)`;
export const publicParent = (parent: string, key: string, column: string) =>
  `exists (select from ${parent} p where p.${key} = t.${column} and p.is_public)`;
export const visibleEntry = (alias: string) =>
  `${alias}.is_public and exists (select from contests c where c.id = ${alias}.contest_id and c.is_public)`;
/** A column of the key of the repository that an entry names: null once the repository has been taken down. */
export const repositoryKey = (column: string) =>
  `(select r.${column} from repositories r
    where r.platform = t.repository_platform and r.platform_id = t.repository_platform_id and r.is_public)`;

/** The users whom a public row shows. */
export const shownUsers = `t.id in (
  select owner_id from agents where is_public
  union select s.user_id from bounty_submissions s where ${visibleSubmission('s')}
  union select m.user_id from bounty_submission_makers m join bounty_submissions s on s.id = m.submission_id where ${visibleSubmission('s')}
  union select submitted_by_id from launches where is_public
  union select m.user_id from launch_makers m join launches l on l.id = m.launch_id where l.is_public
  union select h.user_id from collection_holders h join collections c on c.address = h.collection_address where c.is_public
  union select e.user_id from contest_submissions e where ${visibleEntry('e')}
  union select p.user_id from contest_submission_supporters p join contest_submissions e on e.id = p.submission_id where ${visibleEntry('e')}
  union select i.user_id from timeline_items i join users u on u.id = i.user_id where i.is_public and u.is_public
)`;
