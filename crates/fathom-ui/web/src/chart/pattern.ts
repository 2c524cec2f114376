// A drawn shape: straight lines from knot to knot, whose times increase.

import type { Knot, Span } from '../contract';

/** Fewer knots are no shape yet. */
export const FEWEST_KNOTS = 2;

/** With one more knot, and where it is. A knot at the same moment is moved there instead. */
export function withKnot(knots: readonly Knot[], knot: Knot, apart: number): { knots: Knot[]; place: number } {
  const near = knots.findIndex(([time]) => Math.abs(time - knot[0]) < apart);
  if (near >= 0) return { knots: movedKnot(knots, near, knot, apart, [-Infinity, Infinity]), place: near };
  const after = knots.findIndex(([time]) => time > knot[0]);
  const place = after < 0 ? knots.length : after;
  return { knots: knots.toSpliced(place, 0, knot), place };
}

/** With the knot elsewhere: between its neighbours, at least `apart` from both, and in the bounds. */
export function movedKnot(knots: readonly Knot[], place: number, to: Knot, apart: number, bounds: Span): Knot[] {
  const least = Math.max(bounds[0], (knots[place - 1]?.[0] ?? -Infinity) + apart);
  const most = Math.min(bounds[1], (knots[place + 1]?.[0] ?? Infinity) - apart);
  // Neighbours closer than that: it stays in the middle.
  const time = least <= most ? Math.min(Math.max(to[0], least), most) : (least + most) / 2;
  return knots.toSpliced(place, 1, [time, to[1]]);
}

/** Without the knot; null if none is left. */
export function withoutKnot(knots: readonly Knot[], place: number): Knot[] | null {
  const rest = knots.toSpliced(place, 1);
  return rest.length > 0 ? rest : null;
}

/** Whether one can ask by it; nothing at all can be asked too. */
export function isWhole(knots: readonly Knot[] | null): boolean {
  return knots === null || knots.length >= FEWEST_KNOTS;
}
