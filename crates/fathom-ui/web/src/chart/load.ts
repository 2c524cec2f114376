// How charts get the data that they draw.

import type { Series } from '../contract';
import type { SeriesQuery } from '../data/source';

export type Load = (query: SeriesQuery) => Promise<Series>;

/** Columns for a width, in steps: a chart that grows a little needs nothing new. */
export function columnsFor(pixels: number): number {
  return Math.max(256, Math.ceil(pixels / 256) * 256);
}
