// Where times and values lie in a chart, in CSS pixels from its upper left corner.

import type { Span } from '../contract';
import { width as spanWidth } from './span';

/** Room for the values of the axis, the same in all charts so that their times are in line. */
export const GUTTER = 60;
/** Room on the right for half of the last label. */
export const MARGIN = 18;
/** Height of the labels of time. */
export const TIME_AXIS = 22;

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The times from left to right, the values from bottom to top. */
  view: Span;
  reach: Span;
}

export function x(frame: Frame, time: number): number {
  return frame.left + ((time - frame.view[0]) / spanWidth(frame.view)) * frame.width;
}

export function y(frame: Frame, value: number): number {
  return frame.top + ((frame.reach[1] - value) / spanWidth(frame.reach)) * frame.height;
}

export function timeAt(frame: Frame, left: number): number {
  return frame.view[0] + ((left - frame.left) / frame.width) * spanWidth(frame.view);
}

export function valueAt(frame: Frame, top: number): number {
  return frame.reach[1] - ((top - frame.top) / frame.height) * spanWidth(frame.reach);
}

/** Seconds in a pixel. */
export function secondsPerPixel(frame: Frame): number {
  return spanWidth(frame.view) / frame.width;
}

/** What a pixel of height is worth. */
export function valuePerPixel(frame: Frame): number {
  return spanWidth(frame.reach) / frame.height;
}

/** The part of a stretch that is in view, from its left edge; null if none is. */
export function seen(frame: Frame, span: Span): { left: number; width: number } | null {
  const from = Math.max(x(frame, span[0]), frame.left);
  const to = Math.min(x(frame, span[1]), frame.left + frame.width);
  return to >= from ? { left: from, width: to - from } : null;
}

/** As many digits as tell neighbouring pixels apart: what is drawn by hand is no more exact than that. */
export function rounded(value: number, perPixel: number): number {
  const decimals = -Math.floor(Math.log10(perPixel));
  return decimals > 0 ? Number(value.toFixed(Math.min(decimals, 15))) : Math.round(value);
}
