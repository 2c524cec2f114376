// Times in words: "12.4 s", and 3:07 when runs are long.

import type { Span } from '../contract';
import { digits, scale, ticks } from '../quantity';

/** From here on minutes are easier to read than hundreds of seconds. */
const LONG = 180;
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400];

/** Round moments, about this many. */
export function timeTicks(view: Span, about: number): number[] {
  const raw = (view[1] - view[0]) / Math.max(1, about);
  if (raw <= 1 || !isLong(view)) return ticks(view[0], view[1], about);
  const step = STEPS.find((one) => one >= raw) ?? Math.ceil(raw / 86400) * 86400;
  const first = Math.ceil(view[0] / step - 1e-9);
  const last = Math.floor(view[1] / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

/** A moment with as many digits as tell it from one `step` away, in the unit that fits `view`. */
export function timeLabel(time: number, step: number, view: Span): string {
  if (isLong(view)) return clock(time, step);
  const { by, unit } = scale('s', largest(view));
  return `${digits(time / by, step / by)} ${unit}`;
}

/** "12.4–14.1 s". */
export function spanLabel(span: Span, step: number, view: Span): string {
  if (isLong(view)) return `${clock(span[0], step)}–${clock(span[1], step)}`;
  const { by, unit } = scale('s', largest(view));
  return `${digits(span[0] / by, step / by)}–${digits(span[1] / by, step / by)} ${unit}`;
}

/** A step that is worth telling apart: a thousandth of what is in view. */
export function fineStep(view: Span): number {
  return Math.max((view[1] - view[0]) / 1000, 1e-12);
}

function largest(view: Span): number {
  return Math.max(Math.abs(view[0]), Math.abs(view[1]));
}

function isLong(view: Span): boolean {
  return largest(view) >= LONG;
}

function clock(time: number, step: number): string {
  const decimals = Math.min(6, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  // Rounded first: 59.97 is 1:00, not 0:60.
  const rounded = Number(Math.abs(time).toFixed(decimals));
  const hours = Math.floor(rounded / 3600);
  const minutes = Math.floor((rounded % 3600) / 60);
  const rest = (rounded % 60).toFixed(decimals).padStart(decimals > 0 ? decimals + 3 : 2, '0');
  const sign = time < 0 && rounded > 0 ? '−' : '';
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${sign}${minutes}:${rest}`;
}
