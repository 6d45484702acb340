// How far a replica is behind the primary, by this server's own clock: no clock of another machine is believed. The
// primary's WAL position is noted with the moment at which it was asked for. A replica that has replayed up to that
// position has everything that was committed before that moment: it is fresh as of then.

/** What the primary said. Positions are in bytes; `at` is the moment of asking, in milliseconds. */
export interface PrimaryLook {
  at: number;
  position: number;
  timeline: string;
  system: string;
}
/** What a replica said; position: replayed up to there; timeline: that of its last restart point. */
export interface ReplicaLook extends PrimaryLook {
  isInRecovery: boolean;
}

/** The newest twenty minutes in full. Older looks are thinned out: they only say how late a very late replica is. */
const mostLooks = 8192;
const isKept = (_: unknown, index: number): boolean => index % 2 === 0 || index > mostLooks / 2;

export interface Lag {
  notePrimary: (look: PrimaryLook) => void;
  /** Of the newest look at the primary; null: there was none yet. */
  knownAt: () => number | null;
  /** A judge of one replica: up to which moment it has everything, or why it cannot be compared. Null: not known yet. */
  openReplica: () => (look: ReplicaLook) => number | string | null;
}

export const openLag = (): Lag => {
  let looks: PrimaryLook[] = [];

  /** After a failover positions of the new primary cannot be compared with earlier ones. */
  const notePrimary = (look: PrimaryLook) => {
    const last = looks.at(-1);
    if (last !== undefined && (last.timeline !== look.timeline || last.system !== look.system)) looks = [];
    if (looks.at(-1)?.position === look.position) looks.pop();
    looks.push(look);
    if (looks.length > mostLooks) looks = looks.filter(isKept);
  };

  const openReplica = () => {
    let timeline: string | null = null;
    let firstPosition = 0;
    let isOnTimeline = false;
    return (look: ReplicaLook): number | string | null => {
      const primary = looks.at(-1);
      if (primary === undefined) return null;
      if (look.system !== primary.system) return 'it is not a copy of the primary: another cluster';
      if (!look.isInRecovery) return 'it is not a replica (any more): it accepts writes';
      // A replica of the time before a failover can be further on than the new primary, with changes that were lost. It
      // is compared once it is known to follow: its last restart point says so, or it has moved since.
      if (timeline !== primary.timeline) {
        timeline = primary.timeline;
        firstPosition = look.position;
        isOnTimeline = false;
      }
      isOnTimeline ||= look.timeline === primary.timeline || look.position > firstPosition;
      if (!isOnTimeline) return null;
      return looks.findLast(({ position }) => position <= look.position)?.at ?? null;
    };
  };

  return { notePrimary, knownAt: () => looks.at(-1)?.at ?? null, openReplica };
};
