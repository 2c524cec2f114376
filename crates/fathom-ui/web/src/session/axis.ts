// From values to places on the screen.

import { digits, short, ticks } from '../quantity';
import type { Scaled } from '../quantity';

export interface Axis {
  readonly kind: 'linear' | 'log';
  readonly low: number;
  readonly high: number;
  /** Pixels of `low` and `high`; `from` may be the larger. */
  readonly from: number;
  readonly to: number;
  place(value: number): number;
  /** Round values within. */
  readonly ticks: number[];
  /** How far apart they are, if evenly. */
  readonly step: number | null;
}

export type Reach = [low: number, high: number];

export function linearAxis([low, high]: Reach, from: number, to: number, about = 5): Axis {
  const perUnit = (to - from) / (high - low);
  const all = ticks(low, high, about);
  return {
    kind: 'linear',
    low,
    high,
    from,
    to,
    place: (value) => from + (value - low) * perUnit,
    ticks: all,
    step: stepOf(all),
  };
}

/** Both ends above 0. Within less than a decade its ticks are evenly spread values. */
export function logAxis([low, high]: Reach, from: number, to: number, about = 5): Axis {
  const perUnit = (to - from) / Math.log(high / low);
  const decades = roundOnLog(low, high, about);
  const all = decades.length >= 3 ? decades : ticks(low, high, about);
  return {
    kind: 'log',
    low,
    high,
    from,
    to,
    place: (value) => from + Math.log(value / low) * perUnit,
    ticks: all,
    step: decades.length >= 3 ? null : stepOf(all),
  };
}

export function axisOf(kind: Axis['kind'], reach: Reach, from: number, to: number, about = 5): Axis {
  return kind === 'log' && reach[0] > 0 ? logAxis(reach, from, to, about) : linearAxis(reach, from, to, about);
}

function stepOf(all: number[]): number | null {
  const [first, second] = all;
  return first === undefined || second === undefined ? null : second - first;
}

/** 1, 2, 5 of every decade; of many decades only some. */
function roundOnLog(low: number, high: number, about: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const decades = Math.log10(high / low);
  const leads = decades * 3 <= about * 1.5 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / (1.4 * about)));
  const found: number[] = [];
  for (let power = first; power <= last; power += 1) {
    if (power % every !== 0) continue;
    for (const lead of leads) {
      const value = lead * 10 ** power;
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) found.push(value);
    }
  }
  return found;
}

/** What stands at the ticks, in the unit that was chosen. */
export function tickTexts(axis: Axis, { by }: Pick<Scaled, 'by'>): string[] {
  const { step } = axis;
  return axis.ticks.map((value) => (step === null ? short(value / by) : digits(value / by, step / by)));
}

/** The same axis for things that are counted. */
export function counting(axis: Axis): Axis {
  return { ...axis, ticks: axis.ticks.filter(Number.isInteger) };
}

export function countTexts(axis: Axis): string[] {
  return axis.ticks.map((tick) => tick.toLocaleString('en'));
}

/** The values and some room; around a single value as much room as it takes to see it. */
export function reachOf(values: Iterable<number>, room = 0.05): Reach | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return null;
  if (low === high) {
    const around = low === 0 ? 1 : Math.abs(low) * 0.05;
    return [low - around, high + around];
  }
  const pad = (high - low) * room;
  return [low - pad, high + pad];
}

/** The same for ratios, whose room is a factor. Values that are not above 0 do not take part. */
export function reachOfRatios(values: Iterable<number>, room = 0.06): Reach | null {
  const logs = reachOf(onlyLogs(values), room);
  return logs && [Math.exp(logs[0]), Math.exp(logs[1])];
}

function* onlyLogs(values: Iterable<number>): Generator<number> {
  for (const value of values) if (value > 0) yield Math.log(value);
}
