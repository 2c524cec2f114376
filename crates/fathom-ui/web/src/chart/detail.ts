// Finer data for the part in view, within the coarse picture of the whole.

import type { Span } from '../contract';
import { placeOf, type Drawn } from './drawn';
import { clamped, width } from './span';

/** What was loaded, and with how many columns. */
export interface Loaded {
  span: Span;
  columns: number;
}

/** What to load for a view: half its width more on both sides, so that a pan finds it there. */
export function wanted(view: Span, extent: Span, columns: number): Loaded {
  const more = width(view) / 2;
  const span: Span = [clamped(view[0] - more, extent), clamped(view[1] + more, extent)];
  return { span, columns: Math.ceil((columns * width(span)) / width(view)) };
}

/** Whether what was loaded does for this view: all of it, and no coarser than half as fine. */
export function suffices(loaded: Loaded, view: Span, extent: Span, columns: number): boolean {
  const covers = loaded.span[0] <= Math.max(view[0], extent[0]) && loaded.span[1] >= Math.min(view[1], extent[1]);
  return covers && (loaded.columns * width(view)) / width(loaded.span) >= columns / 2;
}

/** The coarse one with the fine one in its place. */
export function spliced(coarse: Drawn, fine: Drawn | null): Drawn {
  const [start, end] = [fine?.time[0], fine?.time.at(-1)];
  if (!fine || start === undefined || end === undefined) return coarse;
  const before = placeOf(coarse.time, start);
  let after = placeOf(coarse.time, end);
  while ((coarse.time[after] ?? Infinity) <= end) after += 1;
  const join = <T>(outer: readonly T[], inner: readonly T[]) => [
    ...outer.slice(0, before),
    ...inner,
    ...outer.slice(after),
  ];
  const reaches = coarse.low !== null || fine.low !== null;
  return {
    time: join(coarse.time, fine.time),
    values: join(coarse.values, fine.values),
    // A point that represents one row reaches no further than itself.
    low: reaches ? join(coarse.low ?? coarse.values, fine.low ?? fine.values) : null,
    high: reaches ? join(coarse.high ?? coarse.values, fine.high ?? fine.values) : null,
  };
}
