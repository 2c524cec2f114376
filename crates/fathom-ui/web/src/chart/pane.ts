// A metric in the stack.

import type { Layer, Ranked, Segmentation, Span } from '../contract';

/** Splits a metric of a run into straight lines in windows of that run. */
export type Cut = (metric: string, run: string, windows: Span[]) => Promise<Segmentation>;

export interface Pane {
  metric: string;
  run: string;
  unit: string;
  layer: Layer;
  /** null: it was added without being ranked. */
  ranked: Ranked | null;
}

/** Heights in pixels: the words above, and all of it. */
export const PANE_HEAD = 22;
export const PANE_HEIGHT = 88;

export function paneKey({ metric, run }: Pane): string {
  return JSON.stringify([metric, run]);
}
