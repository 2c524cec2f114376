// Values as standard deviations from their mean, so that metrics of different units compare.

import type { Drawn } from './drawn';

export interface Standard {
  mean: number;
  deviation: number;
}

/** Of the points that are drawn; null if they do not vary. */
export function standardOf({ values }: Drawn): Standard | null {
  let [count, mean, squares] = [0, 0, 0];
  for (const value of values) {
    if (value === null) continue;
    count += 1;
    const off = value - mean;
    mean += off / count;
    squares += off * (value - mean);
  }
  const deviation = Math.sqrt(squares / Math.max(1, count));
  return deviation > Math.abs(mean) * 1e-12 ? { mean, deviation } : null;
}

export function standardised(drawn: Drawn, { mean, deviation }: Standard): Drawn {
  const each = (values: readonly (number | null)[]) =>
    values.map((value) => (value === null ? null : (value - mean) / deviation));
  return {
    time: drawn.time,
    values: each(drawn.values),
    low: drawn.low && each(drawn.low),
    high: drawn.high && each(drawn.high),
  };
}
