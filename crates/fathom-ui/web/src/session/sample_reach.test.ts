import { describe, expect, it } from 'vitest';
import { sampleReach } from './sample_reach';
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

describe('the chart of samples', () => {
  it('shows outliers that are near, and lets far ones not flatten the rest', () => {
    const near = sampleReach(samplesOf([10, 11, 12], ['counts', 'counts', 'outlier']), 'linear') ?? [0, 0];
    expect(near[1]).toBeGreaterThan(12);
    const far = sampleReach(samplesOf([10, 11, 900], ['counts', 'counts', 'outlier']), 'linear') ?? [0, 0];
    expect(far[1]).toBeLessThan(20);
    expect((11 - 10) / (far[1] - far[0])).toBeGreaterThan(0.1);
  });

  it('shows all where nothing counts, and what has a logarithm on such an axis', () => {
    expect(sampleReach(samplesOf([1, 2], ['warmup', 'warmup']), 'linear')?.[1]).toBeGreaterThan(2);
    expect(sampleReach(samplesOf([0, 1, 100], ['counts', 'counts', 'counts']), 'log')?.[0]).toBeGreaterThan(0.5);
    expect(sampleReach(samplesOf([], []), 'linear')).toBeNull();
  });
});
