// Runs one below the other, on the target's time or each on its own, and what joins two of them.

import type { Ribbon, Span } from '../contract';
import { placeOf } from './drawn';
import { around, width } from './span';
import { carriedSpan, type Ways } from './warp';

export type Fit = 'good' | 'fair' | 'poor';

export interface Strip {
  run: string;
  windows: Span[];
  /** null: the reference itself, or a run that is not aligned. */
  fit: Fit | null;
  /** By how many seconds the ends of the windows may be off. */
  endsUncertain: number;
  warnings: string[];
}

/** Heights in pixels: a run, its name and the ribbon from the run above, and both. */
export const STRIP = 26;
export const GAP = 16;
export const ROW = STRIP + GAP;

/** Between a run's own time and pixels from the left edge of the plot. */
export interface Placing {
  left: (time: number) => number;
  /** The part of the run that is in view, in its own time. */
  view: Span;
  /** The moment of the reference at these pixels; null if the run is not aligned. */
  moment: (left: number) => number | null;
}

/** On the target's time: what happened at the same moment is in one line. */
export function onTargetTime(ways: Ways | null, view: Span, room: number): Placing {
  const perSecond = room / width(view);
  const time = (left: number) => view[0] + left / perSecond;
  if (!ways) return { left: (at) => (at - view[0]) * perSecond, view, moment: () => null };
  return {
    left: (at) => (ways.toReference(at) - view[0]) * perSecond,
    view: carriedSpan(view, ways.toRun),
    moment: time,
  };
}

/**
 * On the run's own time, at the scale of the view. `centre`: where all runs share a moment, in the reference's time;
 * null if all begin at the left edge.
 */
export function onOwnTime(ways: Ways | null, view: Span, room: number, centre: number | null): Placing {
  const perSecond = room / width(view);
  const later = centre !== null && ways ? ways.toRun(centre) - centre : 0;
  const own: Span = [view[0] + later, view[1] + later];
  return {
    left: (at) => (at - own[0]) * perSecond,
    view: own,
    moment: (left) => (ways ? ways.toReference(own[0] + left / perSecond) : null),
  };
}

/** A moment that two neighbours share, in the time of each, and how sure that is: 1 is exactly alike. */
export interface Join {
  above: number;
  below: number;
  sure: number;
}

/** Moments evenly over the reference, this many, as both neighbours have them. */
export function joinsOf(above: Ways, below: Ways, extent: Span, count: number): Join[] {
  return Array.from({ length: count }, (_, n) => {
    const time = extent[0] + ((extent[1] - extent[0]) * (n + 0.5)) / count;
    const apart = Math.max(differenceAt(above.ribbon, time), differenceAt(below.ribbon, time));
    return { above: above.toRun(time), below: below.toRun(time), sure: 1 / (1 + apart) };
  });
}

/** How far a run is from the reference at a moment of the reference. */
function differenceAt(ribbon: Ribbon | null, time: number): number {
  if (!ribbon) return 0;
  return ribbon.difference[Math.min(placeOf(ribbon.here, time), ribbon.difference.length - 1)] ?? 0;
}

/** A ribbon is no better than the worse of its runs; a reference is sure of itself. */
export function worse(a: Fit | null, b: Fit | null): Fit {
  const order: Fit[] = ['good', 'fair', 'poor'];
  return order[Math.max(order.indexOf(a ?? 'good'), order.indexOf(b ?? 'good'))] ?? 'good';
}

/** The times of all runs, from what their ribbons and their data say. */
export function extentOfAll(ribbons: readonly Ribbon[], loaded: Iterable<Span>): Span {
  const ends = (times: readonly number[]): Span[] => {
    const [first, last] = [times[0], times.at(-1)];
    return first === undefined || last === undefined ? [] : [[first, last]];
  };
  const known = ribbons.flatMap(({ here, there }) => [...ends(here), ...ends(there)]);
  return around([...known, ...loaded]) ?? [0, 1];
}

/** The ribbon of a window, in pixels, from the run above to the run below: bent, so that crossing ones are told apart. */
export function ribbonPath(above: Span, below: Span): string {
  const at = (left: number) => Math.round(left * 10) / 10;
  const [a, b, c, d] = [at(above[0]), at(above[1]), at(below[0]), at(below[1])];
  const bend = GAP / 2;
  return `M${a} 0C${a} ${bend} ${c} ${bend} ${c} ${GAP}L${d} ${GAP}C${d} ${bend} ${b} ${bend} ${b} 0Z`;
}

/** A line from a moment above to a moment below. */
export function joinPath(above: number, below: number): string {
  const bend = GAP / 2;
  const [a, c] = [Math.round(above * 10) / 10, Math.round(below * 10) / 10];
  return `M${a} 0C${a} ${bend} ${c} ${bend} ${c} ${GAP}`;
}
