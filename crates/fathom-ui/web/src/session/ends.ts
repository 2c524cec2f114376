// Ends of intervals, which may lie beyond every axis.

import type { End } from '../contract';
import type { Axis } from './axis';

export function asNumber(end: End): number {
  if (end === 'inf') return Infinity;
  if (end === '-inf') return -Infinity;
  return end;
}

export interface PlacedEnd {
  at: number;
  /** Whether the axis stops before the end does: then there is an arrow. */
  beyond: boolean;
}

/** On the axis, or where the axis stops. */
export function placeEnd(end: End, axis: Axis): PlacedEnd {
  const value = asNumber(end);
  if (value > axis.high) return { at: axis.to, beyond: true };
  if (value < axis.low || Number.isNaN(value)) return { at: axis.from, beyond: true };
  return { at: axis.place(value), beyond: false };
}
