// A metric whose values are read when the metrics are scraped. A name that ends in _total is a counter.
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';

/** A number, null while it is not known, or numbers by the value of a label. */
export type Reading = number | null | ReadonlyMap<string, number> | Promise<number | null>;

export const readMetric = (
  registry: Registry,
  name: string,
  help: string,
  read: () => Reading,
  label?: string,
): void => {
  const Kind = name.endsWith('_total') ? Counter : Gauge;
  new Kind({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const value = await read();
      this.reset();
      if (value === null) this.remove();
      else if (typeof value === 'number') this.inc(value);
      else for (const [of, each] of value) this.inc({ [label ?? '']: of }, each);
    },
  });
};
