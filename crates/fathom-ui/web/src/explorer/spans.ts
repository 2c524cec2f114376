// Stretches of time that are moved by hand: they stay within what was recorded.

import type { Span } from '../contract';

/** Moved by so much, or as far as there is room; as long as before. */
export function moved([start, end]: Span, by: number, within: Span): Span {
  const shift = Math.min(Math.max(by, within[0] - start), within[1] - end);
  return within[1] - within[0] < end - start ? [...within] : [start + shift, end + shift];
}

/** Its end moved by so much; it stays at least `least` long. */
export function resized([start, end]: Span, by: number, within: Span, least: number): Span {
  return [start, Math.min(Math.max(end + by, start + least), within[1])];
}

/** What lies in both; `null` if nothing does. */
export function overlap(a: Span, b: Span): Span | null {
  const [start, end] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  return start < end ? [start, end] : null;
}

/** In order of time, those that meet made one. */
export function tidied(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(([start, end]) => start < end).sort((a, b) => a[0] - b[0]);
  const tidy: Span[] = [];
  for (const [start, end] of sorted) {
    const last = tidy.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else tidy.push([start, end]);
  }
  return tidy;
}

/** From the first start to the last end, and a share of it on both sides. */
export function around(spans: readonly Span[], margin: number, within: Span): Span | null {
  if (spans.length === 0) return null;
  const start = Math.min(...spans.map((one) => one[0]));
  const end = Math.max(...spans.map((one) => one[1]));
  const room = (end - start) * margin;
  return overlap([start - room, end + room], within);
}

/** A new stretch of a tenth of the view: at the cursor, or where none of the others is. */
export function fresh(view: Span, others: readonly Span[], cursor: number | null): Span {
  const length = (view[1] - view[0]) / 10;
  const at = (middle: number) => moved([middle - length / 2, middle + length / 2], 0, view);
  if (cursor !== null) return at(cursor);
  const places = [5, 7, 3, 8, 2, 9, 1, 6, 4].map((tenth) => at(view[0] + tenth * length));
  const free = places.find((place) => others.every((other) => overlap(place, other) === null));
  return free ?? at((view[0] + view[1]) / 2);
}

/**
 * Moments of one run as moments of another, by pairs of the same moments in both; as far as they
 * reach, beyond them by the nearest pair.
 */
export function carried(time: number, here: readonly number[], there: readonly number[]): number {
  const next = here.findIndex((one) => one >= time);
  if (next < 0) return there.at(-1) ?? time;
  const [a, b] = [here[next - 1], here[next]];
  const [c, d] = [there[next - 1], there[next]];
  if (a === undefined || b === undefined || c === undefined || d === undefined || b === a) {
    return there[next] ?? time;
  }
  return c + ((time - a) / (b - a)) * (d - c);
}

/** A time as one would say it: no finer than a thousandth of the view. Those that are known stay. */
export function neatTime(time: number, view: Span, known: ReadonlySet<number>): number {
  const decimals = Math.ceil(-Math.log10((view[1] - view[0]) / 1000));
  if (known.has(time) || !Number.isFinite(decimals) || Math.abs(decimals) > 12) return time;
  // Powers of ten below 1 are not exact, so that whole numbers are divided by them.
  return decimals >= 0 ? Number(time.toFixed(decimals)) : Math.round(time / 10 ** -decimals) * 10 ** -decimals;
}

/** The same of a stretch, which stays one. */
export function neat(span: Span, view: Span, known: ReadonlySet<number>): Span {
  const [start, end] = [neatTime(span[0], view, known), neatTime(span[1], view, known)];
  return start < end ? [start, end] : span;
}
