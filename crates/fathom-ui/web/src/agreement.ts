// How well a correlator agrees with a reader's labels: the measure of the vertical profiling paper's
// Figure 9, Spearman's coefficient over the largest that labels in three groups allow.

import type { Label, Ranked } from './contract';

const PLACE: Record<Label, number> = { yes: 1, maybe: 2, no: 3 };

/** Ranks from 1; equal values share the middle of their places. */
export function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => at(values, a) - at(values, b));
  const ranks = new Array<number>(values.length).fill(0);
  let first = 0;
  while (first < order.length) {
    let last = first;
    while (last + 1 < order.length && value(last + 1) === value(first)) last += 1;
    for (let place = first; place <= last; place += 1) ranks[at(order, place)] = (first + last) / 2 + 1;
    first = last + 1;
  }
  return ranks;

  function value(place: number): number {
    return at(values, at(order, place));
  }
}

/**
 * From -1 to 1, where 1 is every yes before every maybe before every no; `null` if all labels or all
 * ranks are the same. Infinity is the rank of what was not ranked: last, with others like it.
 *
 * It is the covariance over the labels' variance. For ranks without ties that is Spearman's coefficient
 * over sqrt(1 - sum(t^3 - t) / (n^3 - n)), t the sizes of the labels' groups, as their deviation cancels.
 * With ties it is the mean over all ways to break them, where that quotient would exceed 1.
 */
export function agreement(labels: readonly Label[], ranks: readonly number[]): number | null {
  const x = midRanks(labels.map((label) => PLACE[label]));
  const y = midRanks(ranks);
  const variance = covariance(x, x);
  if (variance === 0 || covariance(y, y) === 0) return null;
  return covariance(x, y) / variance;
}

function covariance(x: readonly number[], y: readonly number[]): number {
  const middle = (x.length + 1) / 2;
  return x.reduce((sum, one, index) => sum + (one - middle) * (at(y, index) - middle), 0);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? NaN;
}

export interface Agreement {
  correlator: string;
  value: number | null;
  /** How many of the labelled metrics it ranked. */
  ranked: number;
}

export interface Agreements {
  /** How many metrics of the ranking have each label. */
  counts: Record<Label, number>;
  /** The best first. */
  correlators: Agreement[];
}

/** Of every correlator, best first; `null` until a yes and a no can be told apart. */
export function agreements(
  ranking: readonly Ranked[],
  labels: Readonly<Record<string, Label>>,
  correlators: readonly string[],
): Agreements | null {
  const labelled = ranking.filter((row) => Object.hasOwn(labels, row.metric));
  const given = labelled.map((row) => labels[row.metric] ?? 'maybe');
  const count = (label: Label) => given.filter((one) => one === label).length;
  const counts = { yes: count('yes'), maybe: count('maybe'), no: count('no') };
  if (counts.yes === 0 || counts.no === 0) return null;
  const all = correlators.map((correlator) => {
    const ranks = labelled.map((row) => row.correlators[correlator]?.rank ?? Infinity);
    return {
      correlator,
      value: agreement(given, ranks),
      ranked: ranks.filter((rank) => rank !== Infinity).length,
    };
  });
  all.sort((a, b) => (b.value ?? -2) - (a.value ?? -2));
  return { counts, correlators: all };
}
