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
  return `no band${of}: the warnings say why`;
}

/** Why there is no histogram or distribution. */
export function noDistribution({ samples }: SubjectView): string {
  const values = counting(samples);
  if (samples.n === 0) return 'Nothing was measured.';
  if (values.length === 0) return 'No sample counts: all are warm-up. Skip fewer, or switch steady state off.';
  if (values.length === 1) return 'One sample has no distribution. Measure more.';
  if (isConstant(values)) return `All ${count(values.length, 'sample')} that count are the same.`;
  return 'Its samples are of different amounts of work, or too far apart for one axis.';
}

/** Why there is no correlogram. */
export function noCorrelogram({ samples }: SubjectView): string {
  const values = counting(samples);
  if (values.length > 1 && isConstant(values)) {
    return 'Samples that are all the same have no correlation.';
  }
  return `${count(values.length, 'sample')} that count: too few to tell whether neighbours are alike.`;
}

export function noShift({ reference, subject }: ComparisonView): string {
  return `There are too few samples of ${reference} or of ${subject}, or some that are not above 0.`;
}

export function noBlocks(): string {
  return 'No blocks: the two were not measured side by side. `fathom compare` measures in blocks.';
}

function isConstant(values: number[]): boolean {
  return values.every((value) => value === values[0]);
}
