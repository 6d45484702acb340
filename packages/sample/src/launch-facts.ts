// The facts about launches that other tables need: the submitter, the week and the time of publication.
import type { Parts } from './parts.ts';
import { dayMs } from './parts.ts';

export interface LaunchFacts {
  submitter: (n: number) => number;
  /** Offsets from now in milliseconds: the start of its week, and its publication. */
  week: (n: number) => number;
  published: (n: number) => number;
}

export const launchFactsOf = ({ scale, draws, nowMs }: Parts): LaunchFacts => {
  const people = draws('launch people');
  const times = draws('launch times');
  const monday = Math.floor((nowMs / dayMs - 4) / 7) * 7 + 4; // the Monday of this week, in days since 1970-01-01
  const weeks = Math.max(8, Math.floor(scale.launches / 1000));
  const weekOf = (drawn: number) => (monday - 7 * drawn) * dayMs - nowMs;
  return {
    submitter: (n) => (n < 3 ? 0 : people(n).popular(scale.users)),
    week: (n) => weekOf(times(n).below(weeks)),
    published: (n) => {
      const draw = times(n);
      return Math.min(0, weekOf(draw.below(weeks)) + draw.below(2 * dayMs));
    },
  };
};
