// The ways to the rows of a page, and when each is taken. What a way costs is in docs/scale.md, measured at a million to
// three million rows; here in milliseconds of PostgreSQL.
//
// | list           | when                                                   | way                             | ms        |
// |----------------|--------------------------------------------------------|---------------------------------|-----------|
// | as it is       | offset below shortWalk                                 | walk the index of the order     | 0.1       |
// | as it is       | any other offset                                       | counted blocks, walk inside one | 0.3       |
// | under a filter | the page is probably within nearWalk rows of the order | near: walk and filter           | 0.6 to 2  |
// | under a filter | at most fewFitting matches, or no counts by facet      | few: fetch by facet and sort    | 1 to 4    |
// | under a filter | otherwise                                              | counted blocks of the facets    | 2 to 14   |
// | by search      | at most fewMatches matches                             | collect and sort                | 3 to 60   |
// | by search      | otherwise                                              | count, walk from the nearer end | 170 to 600|
//
// The offset alone decides the first two, so they are separate statements. "Near" is a statement of its own; if the page
// turns out not to be near, the general one follows. Both in one statement, gated, was measured on seven lists of 100,000
// rows: page 1 took 1.0 to 2.0 times as long, because PostgreSQL sets up the whole plan to run a part of it. Under a
// filter and by search the statement itself decides, by its own totals, so that the choice fits its snapshot.
import type { List } from './declarations.ts';

/** Below this offset rows are skipped one by one; above it the page is found by blocks. */
const shortWalk = 128n;
/** How many rows are read from the beginning of an order for a filtered page. It covers every list without blocks. */
export const nearWalk = ({ size }: List): number => Math.max(4096, 2 * size);
/** Up to this many matches of a filter are fetched and sorted; more are found by blocks. */
export const fewFitting = 2000;
/** Up to this many matches of a search are collected and sorted; more are counted and walked instead. */
export const fewMatches = 20_000;
/** The default page size. A page of a hundred long texts has 10 MB; other statements must not wait for it. */
export const shortPage = 20;
/** Up to this offset, a list without blocks can skip rows one by one while other statements wait. */
export const shortSkip = 1000n;

type Way = 'walk' | 'blocks' | 'filtered';
export const wayOf = (hasFilter: boolean, offset: bigint): Way =>
  hasFilter ? 'filtered' : offset < shortWalk ? 'walk' : 'blocks';
