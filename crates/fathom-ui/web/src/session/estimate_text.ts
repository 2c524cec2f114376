// Estimates as they are written and drawn.

import type { EstimateView, SubjectView } from '../contract';

/** "12.43 ms (12.40 to 12.46 ms)" in its two parts. */
export function parts(text: string): { value: string; interval: string } {
  const found = /^(.*?) \((.*)\)$/su.exec(text);
  return { value: found?.[1] ?? text, interval: found?.[2] ?? '' };
}

/** The first estimate that is a value like the samples; a rate of work is not. */
export function onAxis({ estimates }: SubjectView): EstimateView | undefined {
  return estimates.find(({ method }) => method !== 'regression');
}
