// Labels of a value axis.

import type { Span } from '../contract';
import { digits, scale, ticks } from '../quantity';

export interface ValueAxis {
  ticks: number[];
  labels: string[];
  /** What the labels count, with its prefix. */
  unit: string;
}

/** About this many round values in reach, but two at least, in the unit that fits the largest of them. */
export function valueAxis(reach: Span, unit: string, about: number): ValueAxis {
  const { by, unit: scaled } = scale(unit, Math.max(Math.abs(reach[0]), Math.abs(reach[1])));
  const within = (count: number) => ticks(reach[0] / by, reach[1] / by, count);
  const at = [about, about + 1, about + 2, about * 3].map(within).find(({ length }) => length > 1) ?? [];
  const step = (at[1] ?? 1) - (at[0] ?? 0);
  return {
    ticks: at.map((tick) => tick * by),
    labels: at.map((tick) => digits(tick, step).replace('-', '−')),
    unit: scaled,
  };
}
