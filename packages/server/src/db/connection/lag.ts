// How far a replica is behind the primary, by this server's clock only: clocks of other machines are not trusted. The
// primary's WAL position is recorded with the time at which it was asked for. A replica that has replayed up to that
// position has everything that was committed before that time: it is fresh as of then.

/** The primary's answer to a probe. Positions are in bytes; `at` is the time of asking, in milliseconds. */
export interface PrimaryAnswer {
  at: number;
  position: number;
  timeline: string;
  system: string;
}
/** A replica's answer; position: it has replayed up to there; timeline: that of its last restart point. */
export interface ReplicaAnswer extends PrimaryAnswer {
  isInRecovery: boolean;
}

/** The newest twenty minutes are kept in full. Older answers are thinned out: only very late replicas need them. */
const mostAnswers = 8192;
const isKept = (_: unknown, index: number): boolean => index % 2 === 0 || index > mostAnswers / 2;

export interface Lag {
  notePrimary: (answer: PrimaryAnswer) => void;
  /** The time of the newest answer of the primary; null: none yet. */
  knownAt: () => number | null;
  /** Opens a check of one replica: the time up to which it has everything, or why it cannot be used; null: unknown. */
  openReplica: () => (answer: ReplicaAnswer) => number | string | null;
}

export const openLag = (): Lag => {
  let answers: PrimaryAnswer[] = [];

  /** After a failover positions of the new primary cannot be compared with earlier ones. */
  const notePrimary = (answer: PrimaryAnswer) => {
    const last = answers.at(-1);
    if (last !== undefined && (last.timeline !== answer.timeline || last.system !== answer.system)) answers = [];
    if (answers.at(-1)?.position === answer.position) answers.pop();
    answers.push(answer);
    if (answers.length > mostAnswers) answers = answers.filter(isKept);
  };

  const openReplica = () => {
    let timeline: string | null = null;
    let firstPosition = 0;
    let isOnTimeline = false;
    return (answer: ReplicaAnswer): number | string | null => {
      const primary = answers.at(-1);
      if (primary === undefined) return null;
      if (answer.system !== primary.system) return 'it is not a copy of the primary: another cluster';
      if (!answer.isInRecovery) return 'it is not a replica (any more): it accepts writes';
      // After a failover a replica of the old primary can be ahead of the new one, with changes that were lost. It is
      // compared once it is known to follow the new one: by its last restart point, or because it has advanced since.
      if (timeline !== primary.timeline) {
        timeline = primary.timeline;
        firstPosition = answer.position;
        isOnTimeline = false;
      }
      isOnTimeline ||= answer.timeline === primary.timeline || answer.position > firstPosition;
      if (!isOnTimeline) return null;
      return answers.findLast(({ position }) => position <= answer.position)?.at ?? null;
    };
  };

  return { notePrimary, knownAt: () => answers.at(-1)?.at ?? null, openReplica };
};
