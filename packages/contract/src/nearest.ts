// Suggests the name that a caller probably meant: first by the usual names of other APIs, then by edit distance.

const habits: Record<string, readonly string[]> = {
  limit: ['pageSize', 'count'],
  per_page: ['pageSize', 'count'],
  perpage: ['pageSize', 'count'],
  page_size: ['pageSize', 'count'],
  pagesize: ['pageSize', 'count'],
  size: ['pageSize', 'count'],
  search: ['q'],
  query: ['q'],
  name: ['q'],
  skip: ['offset'],
  sort: ['sortBy'],
  orderby: ['sortBy'],
  order: ['sortOrder'],
  direction: ['sortOrder'],
};

/** Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
};

export const nearest = (name: string, candidates: readonly string[]): string | undefined => {
  if (name.length > 100) return undefined;
  const small = name.toLowerCase();
  const habit = (Object.hasOwn(habits, small) ? habits[small] : undefined)?.find((usual) => candidates.includes(usual));
  if (habit !== undefined) return habit;
  const [best] = candidates
    .map((candidate) => ({ candidate, steps: distance(small, candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps);
  return best !== undefined && best.steps <= Math.min(3, Math.floor(best.candidate.length / 2))
    ? best.candidate
    : undefined;
};
