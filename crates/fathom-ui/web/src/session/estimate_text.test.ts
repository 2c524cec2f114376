import { expect, it } from 'vitest';
import { onAxis, parts } from './estimate_text';
import type { EstimateView, SubjectView } from '../contract';

it('an estimate is a value and its interval', () => {
  expect(parts('12.43 ms (12.40 to 12.46 ms)')).toEqual({ value: '12.43 ms', interval: '12.40 to 12.46 ms' });
  expect(parts('3 (no interval)')).toEqual({ value: '3', interval: 'no interval' });
  expect(parts('3')).toEqual({ value: '3', interval: '' });
});

it('a rate of work is not on the axis of the samples', () => {
  const estimate = (method: string): EstimateView => ({
    statistic: method,
    value: 1,
    lower: null,
    upper: null,
    confidence: 0.95,
    method,
    n_used: 1,
    if_independent: false,
    text: '',
    declined: null,
  });
  const subject = (estimates: EstimateView[]): SubjectView => ({
    name: '',
    unit: '',
    sentence: '',
    trail: '',
    warnings: [],
    estimates,
    samples: { index: [], values: [], label: [], outlying: [], change_points: [], n: 0, thinned: false },
    histogram: null,
    ecdf: null,
    correlogram: null,
  });
  expect(onAxis(subject([estimate('regression'), estimate('exact')]))?.statistic).toBe('exact');
  expect(onAxis(subject([estimate('regression')]))).toBeUndefined();
});
