// Why a picture is not there, in words.

import type { ComparisonView, SubjectView } from '../contract';
import { count } from './measure';

type Samples = SubjectView['samples'];

function counting({ values, label }: Samples): number[] {
  return values.filter((_, index) => label[index] !== 'warmup');
}

/** That some curves have no band, if that is so. */
export function noBand(curves: { name: string; band: unknown }[], subjects: number): string | null {
  const without = curves.filter(({ band }) => !band);
  if (without.length === 0) return null;
  const of = subjects > 1 && without.length < subjects ? ` of ${without.map(({ name }) => name).join(', ')}` : '';
  return `no confidence band${of}: see the warnings`;
}

/** Why there is no histogram or distribution. */
export function noDistribution({ samples }: SubjectView): string {
  const values = counting(samples);
  if (samples.n === 0) return 'Nothing was measured.';
  if (values.length === 0) return 'All samples are warm-up (excluded). Skip fewer, or switch steady state off.';
  if (values.length === 1) return 'One sample has no distribution. Measure more.';
  if (isConstant(values)) return `All ${count(values.length, 'included sample')} are the same.`;
  return 'Its samples measure different amounts of work, or are too far apart for one axis.';
}

/** Why there is no correlogram. */
export function noCorrelogram({ samples }: SubjectView): string {
  const values = counting(samples);
  if (values.length > 1 && isConstant(values)) {
    return 'Identical samples have no autocorrelation.';
  }
  return `Not enough data: ${count(values.length, 'included sample')}.`;
}

export function noShift({ reference, subject }: ComparisonView): string {
  return `Not enough samples of ${reference} or ${subject}, or some are not above 0.`;
}

export function noBlocks(): string {
  return 'No blocks: the two were measured separately. `fathom compare` measures side by side, in blocks.';
}

function isConstant(values: number[]): boolean {
  return values.every((value) => value === values[0]);
}
