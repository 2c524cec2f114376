// What a drag over the target's chart makes: each move gives the whole of what it changes.

import type { Knot, Span } from '../contract';
import { rounded } from './frame';
import type { Grip, Mode, Scene } from './grip';
import { movedKnot, withKnot } from './pattern';
import { clamped, merged, ordered, shifted, width } from './span';

/** Where the pointer is. */
export interface Spot {
  time: number;
  value: number;
}

export type Drag =
  | { does: 'draw-window'; from: number; others: Span[] }
  | { does: 'move-edge'; fixed: number; others: Span[] }
  | { does: 'move-window'; from: number; window: Span; others: Span[] }
  | { does: 'draw-baseline'; from: number }
  | { does: 'move-knot'; place: number; knots: Knot[] }
  | { does: 'take-suggestion'; from: number };

/** What was changed so far. */
export type Draft =
  { of: 'windows'; windows: Span[] } | { of: 'baseline'; baseline: Span } | { of: 'pattern'; knots: Knot[] };

export interface Limits {
  extent: Span;
  /** The values that can be seen: knots stay there. */
  reach: Span;
  /** Two knots are at least this many seconds apart. */
  apart: number;
  /** What a pixel is worth. */
  grain: Spot;
  /** Edges of windows snap to these times from `pull` seconds away. */
  magnets: readonly number[];
  pull: number;
}

/** What a press begins. With `adds` a window is drawn in addition to the others. */
export function begun(grip: Grip, mode: Mode, spot: Spot, scene: Scene, adds: boolean, limits: Limits): Drag {
  const others = (place: number) => scene.windows.toSpliced(place, 1);
  switch (grip.on) {
    case 'knot':
      return { does: 'move-knot', place: grip.place, knots: [...scene.knots] };
    case 'edge': {
      const window = scene.windows[grip.place] ?? [spot.time, spot.time];
      return { does: 'move-edge', fixed: window[grip.side === 0 ? 1 : 0], others: others(grip.place) };
    }
    case 'window': {
      const window = scene.windows[grip.place];
      if (!window || adds) break;
      return { does: 'move-window', from: spot.time, window, others: others(grip.place) };
    }
    case 'baseline-edge':
      return { does: 'draw-baseline', from: scene.baseline?.[grip.side === 0 ? 1 : 0] ?? spot.time };
    case 'suggestion':
      if (!adds) return { does: 'take-suggestion', from: snapped(settled(spot, limits)[0], limits) };
      break;
    case 'nothing':
      break;
  }
  const [from, height] = settled(spot, limits);
  const edge = snapped(from, limits);
  if (mode === 'baseline') return { does: 'draw-baseline', from };
  if (mode === 'pattern') {
    return { does: 'move-knot', ...withKnot(scene.knots, [from, height], limits.apart) };
  }
  return { does: 'draw-window', from: edge, others: adds ? [...scene.windows] : [] };
}

/** What it makes when the pointer is here. */
export function dragged(drag: Drag, spot: Spot, limits: Limits): Draft {
  const [time, height] = settled(spot, limits);
  const edge = snapped(time, limits);
  switch (drag.does) {
    case 'draw-window':
      return { of: 'windows', windows: among(drag.others, ordered(drag.from, edge)) };
    case 'take-suggestion':
      return { of: 'windows', windows: among([], ordered(drag.from, edge)) };
    case 'move-edge':
      return { of: 'windows', windows: among(drag.others, ordered(drag.fixed, edge)) };
    case 'move-window': {
      const by = spot.time - drag.from;
      return { of: 'windows', windows: among(drag.others, moved(drag.window, by, limits)) };
    }
    case 'draw-baseline':
      return { of: 'baseline', baseline: ordered(drag.from, time) };
    case 'move-knot': {
      const knots = movedKnot(drag.knots, drag.place, [time, height], limits.apart, limits.extent);
      return { of: 'pattern', knots };
    }
  }
}

/** A window whose start or end (side 0 or 1) was moved by keys, among the others. */
export function nudgedEdge(windows: readonly Span[], place: number, side: 0 | 1, by: number, limits: Limits): Span[] {
  const window = windows[place];
  if (!window) return [...windows];
  const edge = clamped(rounded(window[side] + by, limits.grain.time), limits.extent);
  return among(windows.toSpliced(place, 1), ordered(edge, window[side === 0 ? 1 : 0]));
}

/** A window that was moved by keys. */
export function nudgedWindow(windows: readonly Span[], place: number, by: number, limits: Limits): Span[] {
  const window = windows[place];
  return window ? among(windows.toSpliced(place, 1), moved(window, by, limits)) : [...windows];
}

/** With the window from the anchor to this moment in place of the one that began or ended there. */
export function grown(windows: readonly Span[], anchor: number, to: number): Span[] {
  const others = windows.filter((window) => window[0] !== anchor && window[1] !== anchor);
  return among(others, ordered(anchor, to));
}

/** With one more window, unless there is nothing in it. */
function among(others: readonly Span[], window: Span): Span[] {
  return merged(width(window) > 0 ? [...others, window] : others);
}

function moved(window: Span, by: number, { extent, grain }: Limits): Span {
  const [start, end] = shifted(window, by, extent);
  return [clamped(rounded(start, grain.time), extent), clamped(rounded(end, grain.time), extent)];
}

/** The nearest magnet, if one is near. */
function snapped(time: number, { magnets, pull }: Limits): number {
  let nearest = time;
  let least = pull;
  for (const magnet of magnets) {
    const away = Math.abs(magnet - time);
    if (away <= least) [nearest, least] = [magnet, away];
  }
  return nearest;
}

/** Where a spot is after it was rounded, and kept in sight. */
function settled({ time, value }: Spot, { extent, reach, grain }: Limits): Knot {
  return [clamped(rounded(time, grain.time), extent), clamped(rounded(value, grain.value), reach)];
}
