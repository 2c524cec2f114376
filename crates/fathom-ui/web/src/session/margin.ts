// What counts as no difference, as a ratio.

import { asNumber } from './ends';
import type { End } from '../contract';
import { reachOfRatios } from './axis';
import type { Reach } from './axis';

/** From 1/(1 + m) to 1 + m: it does not matter which of the two is the reference. */
export function marginReach(margin: number): Reach {
  return [1 / (1 + margin), 1 + margin];
}

/** How many times the span of the ratios their intervals may add on either side. */
const ROOM = 1.5;

/**
 * The axis for ratios: 1, the margin, the ratios, and their ends as far as these do not flatten the
 * rest.
 */
export function ratioReach(ratios: number[], ends: End[], margin: number, room = ROOM): Reach {
  const core = reachOfRatios([...ratios, ...marginReach(margin), 1], 0) ?? [0.9, 1.1];
  const [low, high] = core.map(Math.log) as [number, number];
  const more = Math.max(high - low, 0.002) * room;
  const kept = ends
    .map(asNumber)
    .filter((end) => Number.isFinite(end) && end > 0)
    .map((end) => Math.exp(Math.min(high + more, Math.max(low - more, Math.log(end)))));
  return reachOfRatios([...core, ...kept]) ?? [0.9, 1.1];
}
