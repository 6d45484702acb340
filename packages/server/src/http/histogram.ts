// A histogram by operation that costs a request next to nothing: an array of counts, converted into Prometheus's
// cumulative buckets only when it is scraped. Three histograms of prom-client take 5 to 10 µs per request.
import type { Metric, Registry } from 'prom-client';

/** Upper bounds in seconds; one more bucket counts what is above. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Meter {
  observe: (seconds: number) => void;
}

/** Registers the histogram; returns a function that makes the meter of an operation. */
export const openHistogram = (registry: Registry, name: string, help: string): ((operation: string) => Meter) => {
  const all = new Map<string, { counts: Float64Array; sum: number }>();
  const values = () =>
    [...all].flatMap(([operation, { counts, sum }]) => {
      let below = 0;
      const buckets = [...counts].map((count, place) => {
        below += count;
        const le = bounds[place] ?? '+Inf';
        return { metricName: `${name}_bucket`, labels: { le, operation }, value: below };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels: { operation }, value: sum },
        { metricName: `${name}_count`, labels: { operation }, value: below },
      ];
    });
  const get = async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() });
  // All that a registry needs of a metric; its types accept only the library's own classes.
  registry.registerMetric({ name, help, get, reset: () => all.clear() } as unknown as Metric);
  return (operation) => {
    const series = { counts: new Float64Array(bounds.length + 1), sum: 0 };
    all.set(operation, series);
    const observe = (seconds: number) => {
      let place = 0;
      while (place < bounds.length && seconds > bounds[place]!) place += 1;
      series.counts[place]! += 1;
      series.sum += seconds;
    };
    return { observe };
  };
};
