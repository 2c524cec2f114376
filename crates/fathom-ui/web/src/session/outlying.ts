// How an outlier lies to the other samples, in words.

import type { SubjectView } from '../contract';

export type Outlying = SubjectView['samples']['outlying'][number];

/** "standalone, local outlier factor 41". */
export function outlyingText({ kind, factor }: Outlying): string {
  const digits = factor < 0.995 ? factor.toFixed(2) : factor < 9.95 ? factor.toFixed(1) : large(factor);
  const words = `local outlier factor ${digits}`;
  return kind === null ? words : `${kind}, ${words}`;
}

function large(factor: number): string {
  return factor < 1e6 ? factor.toFixed(0) : factor.toExponential(1).replace('e+', 'e');
}
