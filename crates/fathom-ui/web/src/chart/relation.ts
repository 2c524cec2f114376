// How a metric goes with the target, in few words.

import type { Ranked } from '../contract';
import { seconds } from '../quantity';

export interface Relation {
  /** "↑" with it, "↓" against it. */
  mark: string;
  sign: string;
  /** "0.3 s before"; empty if there is no lag to speak of. */
  lag: string;
}

export function relationOf({ sign, lag }: Pick<Ranked, 'sign' | 'lag'>): Relation {
  return {
    mark: sign > 0 ? '↑' : sign < 0 ? '↓' : '',
    sign: sign > 0 ? 'with the target' : sign < 0 ? 'against the target' : '',
    lag: lag ? `${seconds(Math.abs(lag))} ${lag < 0 ? 'before' : 'after'}` : '',
  };
}
