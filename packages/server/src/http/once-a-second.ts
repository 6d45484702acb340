// Which events of one caller get a log line: the first in each second; the others are reported as a count. A line for
// each would let a caller who is rejected fill the log. The metrics count all of them.

export interface OnceASecond {
  /** Whether an event of this caller gets a line of its own. */
  takes: (caller: string) => boolean;
  stop: () => void;
}

const everyMs = 1000;

/** `reportMore` writes a line: how many more events of one caller there were. */
export const onceASecond = (reportMore: (count: number) => void): OnceASecond => {
  /** By caller: the events in this second after the first. */
  const more = new Map<string, number>();
  const report = () => {
    for (const count of more.values()) if (count > 0) reportMore(count);
    more.clear();
  };
  const timer = setInterval(report, everyMs).unref();
  return {
    takes: (caller) => {
      const before = more.get(caller);
      more.set(caller, before === undefined ? 0 : before + 1);
      return before === undefined;
    },
    stop: () => {
      clearInterval(timer);
      report();
    },
  };
};
