// Which rows the public export contains, as SQL over a row `t` or a given alias. Each condition reads is_public of its
// table; that predicate itself is defined in the schema.

// gap G12: until the bounty is completed only the sponsor sees who won.
const completed = '(select b.is_completed from bounties b where b.id = t.bounty_id)';
export const announced = {
  status: `case when t.status = 'WINNER' and not ${completed} then 'APPROVED' else t.status end`,
  place: `case when ${completed} then t.prize_place end`,
};
// A row is looked up by its key, not by `exists`: in a trigger the planner would read the whole table of the parent.
export const publicParent = (parent: string, key: string, column: string) =>
  `coalesce((select p.is_public from ${parent} p where p.${key} = ${column}), false)`;
export const visibleSubmission = (alias: string) =>
  `${alias}.is_public and coalesce((select b.is_public and b.submissions_visible from bounties b where b.id = ${alias}.bounty_id), false)`;
export const visibleEntry = (alias: string) =>
  `${alias}.is_public and ${publicParent('contests', 'id', `${alias}.contest_id`)}`;
/** A column of the key of the repository that an entry names: null once the repository has been taken down. */
export const repositoryKey = (column: string) =>
  `(select r.${column} from repositories r
    where r.platform = t.repository_platform and r.platform_id = t.repository_platform_id and r.is_public)`;

/** Whether a public row shows the user with this id. */
export const isShownUser = (id: string) => `(
  exists (select from agents a where a.owner_id = ${id} and a.is_public)
  or exists (select from launches l where l.submitted_by_id = ${id} and l.is_public)
  or exists (select from collection_holders h join collections c on c.address = h.collection_address where h.user_id = ${id} and c.is_public)
  or exists (select from timeline_items i join users u on u.id = i.user_id where i.user_id = ${id} and i.is_public and u.is_public)
  or exists (select from bounty_submissions s where s.user_id = ${id} and ${visibleSubmission('s')})
  or exists (select from bounty_submission_makers m join bounty_submissions s on s.id = m.submission_id
    where m.user_id = ${id} and ${visibleSubmission('s')})
  or exists (select from launch_makers m join launches l on l.id = m.launch_id where m.user_id = ${id} and l.is_public)
  or exists (select from contest_submissions e where e.user_id = ${id} and ${visibleEntry('e')})
  or exists (select from contest_submission_supporters p join contest_submissions e on e.id = p.submission_id
    where p.user_id = ${id} and ${visibleEntry('e')})
)`;
