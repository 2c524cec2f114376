// Stretches of time: windows, views, baselines.

import type { Span } from '../contract';

/** From the earlier to the later, whichever came first. */
export function ordered(a: number, b: number): Span {
  return a <= b ? [a, b] : [b, a];
}

export function width(span: Span): number {
  return span[1] - span[0];
}

export function contains(span: Span, time: number): boolean {
  return time >= span[0] && time <= span[1];
}

export function same(a: Span, b: Span): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

export function clamped(time: number, bounds: Span): number {
  return Math.min(Math.max(time, bounds[0]), bounds[1]);
}

/** Moved by so much, but not out of the bounds: it keeps its width as long as they have room for it. */
export function shifted(span: Span, by: number, bounds: Span): Span {
  const wide = width(span);
  const start = clamped(span[0] + by, [bounds[0], Math.max(bounds[0], bounds[1] - wide)]);
  return [start, Math.min(start + wide, bounds[1])];
}

/** In order, and one where two touch or overlap. */
export function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** The smallest that has all of them; null of none. */
export function around(spans: readonly Span[]): Span | null {
  if (spans.length === 0) return null;
  return [Math.min(...spans.map(([start]) => start)), Math.max(...spans.map(([, end]) => end))];
}
