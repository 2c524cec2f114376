// What is under the pointer in the target's chart.

import type { Knot, Span, Suggestion } from '../contract';
import { seen, timeAt, x, y, type Frame } from './frame';
import { contains, width } from './span';

export type Grip =
  | { on: 'knot'; place: number }
  | { on: 'edge'; place: number; side: 0 | 1 }
  | { on: 'window'; place: number }
  | { on: 'baseline-edge'; side: 0 | 1 }
  | { on: 'suggestion'; suggestion: Suggestion }
  | { on: 'nothing' };

export type Mode = 'window' | 'baseline' | 'pattern';

/** What lies in the chart. */
export interface Scene {
  windows: readonly Span[];
  baseline: Span | null;
  knots: readonly Knot[];
  suggestions: readonly Suggestion[];
}

const KNOT = 9;
const EDGE = 5;

/** Small things first: a knot, then an edge, then what is wide. */
export function gripAt(scene: Scene, frame: Frame, left: number, top: number, mode: Mode): Grip {
  const knot = nearestKnot(scene.knots, frame, left, top);
  if (knot !== null) return { on: 'knot', place: knot };
  if (mode === 'pattern') return { on: 'nothing' };
  if (mode === 'baseline') {
    const side = scene.baseline && edgeAt(scene.baseline, frame, left);
    return side === null ? { on: 'nothing' } : { on: 'baseline-edge', side };
  }
  for (const [place, window] of scene.windows.entries()) {
    const side = edgeAt(window, frame, left);
    if (side !== null) return { on: 'edge', place, side };
  }
  const time = timeAt(frame, left);
  const place = scene.windows.findIndex((window) => contains(window, time));
  if (place >= 0) return { on: 'window', place };
  const suggestion = narrowest(scene.suggestions, time);
  return suggestion ? { on: 'suggestion', suggestion } : { on: 'nothing' };
}

/** How the pointer looks there. */
export function cursorFor(grip: Grip, mode: Mode): string {
  switch (grip.on) {
    case 'knot':
      return 'move';
    case 'edge':
    case 'baseline-edge':
      return 'ew-resize';
    case 'window':
      return 'grab';
    case 'suggestion':
      return 'pointer';
    case 'nothing':
      return mode === 'pattern' ? 'copy' : 'crosshair';
  }
}

function nearestKnot(knots: readonly Knot[], frame: Frame, left: number, top: number): number | null {
  let best: { place: number; distance: number } | null = null;
  for (const [place, [time, height]] of knots.entries()) {
    const distance = Math.hypot(x(frame, time) - left, y(frame, height) - top);
    if (distance <= KNOT && (!best || distance < best.distance)) best = { place, distance };
  }
  return best?.place ?? null;
}

/** The nearer edge; inside a narrow one only the middle third is not an edge. */
function edgeAt(span: Span, frame: Frame, left: number): 0 | 1 | null {
  if (!seen(frame, span)) return null;
  const [start, end] = [x(frame, span[0]), x(frame, span[1])];
  const inner = Math.min(EDGE, (end - start) / 3);
  if (left >= start - EDGE && left <= start + inner) return 0;
  if (left >= end - inner && left <= end + EDGE) return 1;
  return null;
}

/** Of those that overlap the one that says most about this moment. */
function narrowest(suggestions: readonly Suggestion[], time: number): Suggestion | null {
  let best: { suggestion: Suggestion; wide: number } | null = null;
  for (const suggestion of suggestions) {
    for (const window of suggestion.windows) {
      const wide = width(window);
      if (contains(window, time) && (!best || wide < best.wide)) best = { suggestion, wide };
    }
  }
  return best?.suggestion ?? null;
}
