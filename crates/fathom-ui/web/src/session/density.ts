// Histograms that can be laid over each other though their bars are not equally wide.

import type { SubjectView } from '../contract';
import type { Reach } from './axis';

type HistogramView = NonNullable<SubjectView['histogram']>;

export interface Bar {
  from: number;
  to: number;
  count: number;
  /** What part of the samples it has. */
  share: number;
  /** That part, per `width`. */
  height: number;
}

export function total({ counts, beyond }: HistogramView): number {
  return counts.reduce((sum, count) => sum + count, beyond);
}

/** The most usual width of a bar: heights are shares per this. */
export function commonWidth(histograms: HistogramView[]): number {
  const widths = histograms
    .flatMap(({ edges }) => edges.slice(1).map((edge, index) => edge - (edges[index] ?? edge)))
    .filter((width) => width > 0)
    .sort((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? 1;
}

export function bars(histogram: HistogramView, width: number): Bar[] {
  const all = Math.max(1, total(histogram));
  return histogram.counts.map((count, index) => {
    const from = histogram.edges[index] ?? NaN;
    const to = histogram.edges[index + 1] ?? NaN;
    const share = count / all;
    return { from, to, count, share, height: to > from ? (share * width) / (to - from) : 0 };
  });
}

/** Bars that are equally wide on a logarithmic axis, which those of a histogram are not. */
export function barsOnLog(
  { x, p }: NonNullable<SubjectView['ecdf']>,
  samples: number,
  [low, high]: Reach,
  bins: number,
): Bar[] {
  const step = (high / low) ** (1 / bins);
  const edges = Array.from({ length: bins + 1 }, (_, index) => low * step ** index);
  let place = 0;
  const below = edges.map((edge) => {
    while (place < x.length && (x[place] ?? Infinity) <= edge) place += 1;
    return p[place - 1] ?? 0;
  });
  return edges.slice(1).map((to, index) => {
    const share = (below[index + 1] ?? 0) - (below[index] ?? 0);
    return { from: edges[index] ?? low, to, count: Math.round(share * samples), share, height: share };
  });
}
