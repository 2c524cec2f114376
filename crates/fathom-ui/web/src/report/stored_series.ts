// The lines that were put into a report. There is no finer one to fetch, so the finest that covers
// what is asked is cut to it.

import type { Series } from '../contract';

/** The stored line that shows most of a stretch of time; none if the metric was not put in. */
export function storedSeries(
  stored: readonly Series[],
  run: string,
  metric: string,
  from?: number,
  to?: number,
): Series | null {
  const candidates = stored.filter((one) => one.run === run && one.metric === metric);
  let best: Series | null = null;
  for (const one of candidates) {
    if (best === null || isBetter(one, best, from, to)) best = one;
  }
  return best && (from === undefined && to === undefined ? best : cut(best, from, to));
}

function isBetter(one: Series, other: Series, from?: number, to?: number): boolean {
  const [here, there] = [covered(one, from, to), covered(other, from, to)];
  if (here !== there) return here > there;
  return points(one, from, to) > points(other, from, to);
}

/** How much of the stretch a line has; times beyond the metric's own are nobody's. */
function covered(series: Series, from = series.start, to = series.end): number {
  const first = series.time[0];
  const last = series.time[series.time.length - 1];
  if (first === undefined || last === undefined) return 0;
  const [low, high] = [Math.max(from, series.start), Math.min(to, series.end)];
  // A row's value is known at its end, so a line begins a little after the metric does.
  const slack = (last - first) / Math.max(1, series.time.length - 1);
  return Math.max(0, Math.min(high, last + slack) - Math.max(low, first - slack));
}

function points(series: Series, from = -Infinity, to = Infinity): number {
  return series.time.filter((time) => time >= from && time <= to).length;
}

/** The points within, and one beyond either end so that the line reaches the edges. */
function cut(series: Series, from = -Infinity, to = Infinity): Series {
  const { time } = series;
  let first = time.findIndex((moment) => moment >= from);
  if (first < 0) first = time.length;
  let past = time.findIndex((moment) => moment > to);
  if (past < 0) past = time.length;
  first = Math.max(0, first - 1);
  past = Math.min(time.length, past + 1);
  return {
    ...series,
    time: time.slice(first, past),
    values: series.values.slice(first, past),
    ...(series.low && { low: series.low.slice(first, past) }),
    ...(series.high && { high: series.high.slice(first, past) }),
  };
}
