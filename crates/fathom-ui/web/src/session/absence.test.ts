import { describe, expect, it } from 'vitest';
import { noBand, noCorrelogram, noDistribution } from './absence';
import type { SubjectView } from '../contract';

function samplesOf(values: number[], label: SubjectView['samples']['label']): SubjectView['samples'] {
  return {
    index: values.map((_, index) => index),
    values,
    label,
    outlying: [],
    change_points: [],
    n: values.length,
    thinned: false,
  };
}
function subjectOf(values: number[], label: SubjectView['samples']['label'] = values.map(() => 'counts')): SubjectView {
  return {
    name: 'one',
    unit: 's',
    sentence: '',
    trail: '',
    warnings: [],
    estimates: [],
    samples: samplesOf(values, label),
    histogram: null,
    ecdf: null,
    correlogram: null,
  };
}

describe('what is not there', () => {
  it('is explained by the samples', () => {
    expect(noDistribution(subjectOf([]))).toContain('Nothing was measured');
    expect(noDistribution(subjectOf([1]))).toContain('One sample');
    expect(noDistribution(subjectOf([2, 2, 2]))).toContain('All 3 included samples');
    expect(noDistribution(subjectOf([1, 2], ['warmup', 'warmup']))).toContain('All samples are warm-up');
    expect(noDistribution(subjectOf([1, 2]))).toContain('different amounts of work');
    expect(noCorrelogram(subjectOf([2, 2]))).toContain('Identical samples');
    expect(noCorrelogram(subjectOf([1, 2, 3]))).toContain('3 included samples');
  });
  it('names the curves without a band', () => {
    const [banded, bare] = [
      { name: 'old', band: 'M0 0' },
      { name: 'new', band: null },
    ];
    expect(noBand([banded], 1)).toBe(null);
    expect(noBand([bare], 1)).toBe('no confidence band: see the warnings');
    expect(noBand([banded, bare], 2)).toBe('no confidence band of new: see the warnings');
    expect(noBand([bare, bare], 2)).toBe('no confidence band: see the warnings');
  });
});
