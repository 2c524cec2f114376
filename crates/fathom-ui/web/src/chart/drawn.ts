// A metric as it is drawn: a line, and what the rows behind each of its points reach.

import type { Series, Span } from '../contract';

export interface Drawn {
  time: number[];
  /** null where nothing was seen: the line stops there. */
  values: (number | null)[];
  /** null unless points stand for several rows. */
  low: (number | null)[] | null;
  high: (number | null)[] | null;
}

export function drawn(series: Series): Drawn {
  const { time, values, low, high, thinned } = series;
  const reaches = thinned && low !== undefined && high !== undefined;
  return { time, values, low: reaches ? low : null, high: reaches ? high : null };
}

/** The first place whose time is not before this one. */
export function placeOf(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the line is nearest to this moment; null in a gap, and where the metric has no rows. */
export function valueNear({ time, values }: Drawn, moment: number): number | null {
  const after = placeOf(time, moment);
  const before = Math.max(0, after - 1);
  const right = Math.min(after, time.length - 1);
  const [from, to] = [time[before], time[right]];
  if (from === undefined || to === undefined) return null;
  const step = time.length > 1 ? ((time.at(-1) ?? 0) - (time[0] ?? 0)) / (time.length - 1) : 0;
  if (moment < from - step || moment > to + step) return null;
  return values[moment - from <= to - moment ? before : right] ?? null;
}

/** The lowest and the highest that is drawn in view; null if nothing is. */
export function reachOf({ time, values, low, high }: Drawn, view: Span): Span | null {
  let [least, most] = [Infinity, -Infinity];
  // One more on either side: the line goes on to the edge.
  const first = Math.max(0, placeOf(time, view[0]) - 1);
  const last = Math.min(time.length - 1, placeOf(time, view[1]));
  for (let n = first; n <= last; n += 1) {
    const value = values[n];
    if (value === null || value === undefined) continue;
    least = Math.min(least, low?.[n] ?? value);
    most = Math.max(most, high?.[n] ?? value);
  }
  return least <= most ? [least, most] : null;
}

/** With some air above and below; a level line gets room too. */
export function aired(reach: Span | null): Span {
  if (!reach) return [0, 1];
  const [low, high] = reach;
  const air = high > low ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.1, 1e-12);
  return [low - air, high === low && low === 0 ? 1 : high + air];
}

/** The stretches without gaps, as places from first to last. */
export function stretches(values: readonly (number | null)[]): [first: number, last: number][] {
  const all: [number, number][] = [];
  let first = -1;
  values.forEach((value, n) => {
    if (value !== null && first < 0) first = n;
    if (value === null && first >= 0) {
      all.push([first, n - 1]);
      first = -1;
    }
  });
  if (first >= 0) all.push([first, values.length - 1]);
  return all;
}

/** Points with gaps on both sides: no line shows them. */
export function lonely(values: readonly (number | null)[]): number[] {
  return stretches(values).flatMap(([first, last]) => (first === last ? [first] : []));
}
