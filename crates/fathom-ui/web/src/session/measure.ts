// Values of a session with their unit, as many digits as are asked for.

import { scale, short } from '../quantity';
import type { Scaled } from '../quantity';
import type { End } from '../contract';
import { asNumber } from './ends';

const SECONDS: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1 };

/** The scale for values of up to this size; of times, whichever they came in, the one that fits. */
export function fitting(unit: string, largest: number): Scaled {
  const seconds = SECONDS[unit];
  if (seconds === undefined) return scale(unit, largest);
  const fit = scale('s', largest * seconds);
  return { by: fit.by / seconds, unit: fit.unit };
}

/** "12.4312 ms". */
export function measured(value: number, scaled: Scaled, significant = 6): string {
  const number = short(value / scaled.by, significant);
  return scaled.unit ? `${number} ${scaled.unit}` : number;
}

/** Without the noise of the last digits: 0.1 + 0.2 is 0.3, and a tick such as 10 ** -5 is round. */
export function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/** 0.95 is "95%", 0.999 is "99.9%". */
export function percent(share: number): string {
  return `${short(share * 100, 6)}%`;
}

/** Of a ratio: "+4.1%", "−83.2%", and from a doubling on "3.2 times as much". Never 0% or −100% of what is there. */
export function asDifference(ratio: End): string {
  const value = asNumber(ratio);
  if (!Number.isFinite(value)) return 'no limit';
  if (value >= 2) return `${short(value, 3)} times as much`;
  const share = (value - 1) * 100;
  // Close to nothing it takes more digits to differ from it.
  const nines = value > 0 ? Math.ceil(-Math.log10(value)) : 0;
  const text = short(Math.abs(share), Math.abs(share) < 1 ? 2 : Math.max(3, nines + 1));
  return text === '0' ? '0%' : `${share < 0 ? '−' : '+'}${text}%`;
}

export function ratioText(ratio: End): string {
  const value = asNumber(ratio);
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '0';
  return short(value, value > 0.5 && value < 2 ? 5 : 4);
}

/** "1 sample", "12 samples". */
export function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
