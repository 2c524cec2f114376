// Keys that switch.

import type { SessionOptions } from '../contract';
import { CONFIDENCES, OUTLIERS, after } from './options';

/** What the key changes, or null if it is for others. */
export function keyed(
  key: string,
  { outliers, steady_state, confidence }: SessionOptions,
): Partial<SessionOptions> | null {
  switch (key) {
    case 'o':
      return { outliers: after(OUTLIERS, outliers) };
    case 's':
      return { steady_state: after<SessionOptions['steady_state']>(['auto', 'off'], steady_state) };
    case 'c':
      return { confidence: after<number>(CONFIDENCES, confidence) };
    default:
      return null;
  }
}
