// Which part of the time is in view.

import type { Span } from '../contract';
import { rounded } from './frame';
import { clamped, shifted, width } from './span';

/** The narrowest view, as a share of all. */
const NARROWEST = 1e-6;

/** The view as the callbacks tell it: null if it is everything, else with few digits: it may be sent. */
export function asZoom(view: Span, extent: Span): Span | null {
  const tidy = (time: number) => clamped(rounded(time, width(view) / 10_000), extent);
  const [start, end] = [tidy(view[0]), tidy(view[1])];
  const slack = width(extent) * 1e-9;
  return start <= extent[0] + slack && end >= extent[1] - slack ? null : [start, end];
}

/** Narrower (factor below 1) or wider, with the moment `about` where it was. */
export function zoomed(view: Span, about: number, factor: number, extent: Span): Span {
  const least = width(extent) * NARROWEST;
  const wide = Math.min(Math.max(width(view) * factor, least), width(extent));
  const still = clamped(about, view);
  const share = width(view) > 0 ? (still - view[0]) / width(view) : 0.5;
  const start = still - share * wide;
  return shifted([start, start + wide], 0, extent);
}

/** Moved along by this many seconds, as far as there is something to see. */
export function panned(view: Span, by: number, extent: Span): Span {
  return shifted(view, by, extent);
}

/** Two fingers: what was at the shares `from` of the width is now at the shares `to`. */
export function pinched(view: Span, from: Span, to: Span, extent: Span): Span {
  const apart = Math.abs(to[1] - to[0]);
  if (apart < 1e-3) return view;
  const factor = Math.abs(from[1] - from[0]) / apart;
  const wide = Math.min(Math.max(width(view) * factor, width(extent) * NARROWEST), width(extent));
  const about = view[0] + ((from[0] + from[1]) / 2) * width(view);
  const start = about - ((to[0] + to[1]) / 2) * wide;
  return shifted([start, start + wide], 0, extent);
}

/** How much a turn of the wheel zooms; lines and pages of old mice come to pixels. */
export function wheelFactor(delta: number, mode: number, isPinch: boolean): number {
  const pixels = delta * (mode === 1 ? 16 : mode === 2 ? 400 : 1);
  const turn = Math.min(Math.max(pixels, -200), 200);
  return Math.exp(turn * (isPinch ? 0.01 : 0.002));
}
