// From one run's time to another's, along a ribbon. The same rule as in the Rust crate: both times go
// on evenly between two matched moments, and at the same pace before the first and after the last.

import type { Ribbon, Span } from '../contract';
import type { Drawn } from './drawn';

type Matched = Pick<Ribbon, 'here' | 'there'>;

/** Carries a moment from one time to another. */
export type Carry = (time: number) => number;

function carried(from: readonly number[], to: readonly number[], time: number): number {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  const at = (list: readonly number[], n: number) => list[n] ?? 0;
  if (from.length === 0) return time;
  if (low === 0 || low === from.length) {
    const end = Math.max(0, low - 1);
    return time + at(to, end) - at(from, end);
  }
  const [start, end] = [at(from, low - 1), at(from, low)];
  const share = (time - start) / (end - start);
  return at(to, low - 1) + (at(to, low) - at(to, low - 1)) * share;
}

/** From the reference's time to the run's. */
export function toRun(ribbon: Matched): Carry {
  return (time) => carried(ribbon.here, ribbon.there, time);
}

/** From the run's time to the reference's. */
export function toReference(ribbon: Matched): Carry {
  return (time) => carried(ribbon.there, ribbon.here, time);
}

/** A stretch, carried. */
export function carriedSpan(span: Span, carry: Carry): Span {
  return [carry(span[0]), carry(span[1])];
}

/** A metric on another time. */
export function carriedLine(drawn: Drawn, carry: Carry): Drawn {
  return carry === stay ? drawn : { ...drawn, time: drawn.time.map(carry) };
}

/** Both ways between the reference and a run. */
export interface Ways {
  toRun: Carry;
  toReference: Carry;
  /** null for the reference itself, which is its own time. */
  ribbon: Ribbon | null;
}

const stay: Carry = (time) => time;

/** By run; a run without a ribbon is not aligned, and has none. */
export function waysFrom(reference: string, ribbons: readonly Ribbon[]): Map<string, Ways> {
  const ways = new Map<string, Ways>();
  for (const ribbon of ribbons) {
    if (ribbon.from !== reference || ribbon.here.length === 0) continue;
    ways.set(ribbon.to, { toRun: toRun(ribbon), toReference: toReference(ribbon), ribbon });
  }
  return ways.set(reference, { toRun: stay, toReference: stay, ribbon: null });
}
