// How charts get the data that they draw.

import type { Series } from '../contract';

/** A metric of a run in about this many columns; of all its time unless a part is named. */
export type Load = (metric: string, run: string, columns: number, from?: number, to?: number) => Promise<Series>;

/** Columns for a width, in steps: a chart that grows a little needs nothing new. */
export function columnsFor(pixels: number): number {
  return Math.max(256, Math.ceil(pixels / 256) * 256);
}
