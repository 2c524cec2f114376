import { expect, it } from 'vitest';
import { standardised, standardOf } from './standard';

const line = { time: [0, 1, 2, 3], values: [1, 3, null, 5], low: [0, 2, null, 4], high: [2, 4, null, 6] };

it('a metric has mean 0 and deviation 1 after it is standardised', () => {
  const standard = standardOf(line);
  expect(standard?.mean).toBe(3);
  const made = standardised(line, standard ?? { mean: 0, deviation: 1 });
  expect(standardOf(made)?.mean).toBeCloseTo(0);
  expect(standardOf(made)?.deviation).toBeCloseTo(1);
  expect(made.values[2]).toBeNull();
  expect((made.high?.[0] ?? 0) - (made.low?.[0] ?? 0)).toBeCloseTo(2 / (standard?.deviation ?? 0));
});

it('a level metric has no deviations', () => {
  expect(standardOf({ ...line, values: [0.1, 0.1, 0.1] })).toBeNull();
  expect(standardOf({ ...line, values: [] })).toBeNull();
});
