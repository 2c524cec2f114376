import { expect, it } from 'vitest';
import { linePath, outlinePath } from './svg_path';

it('a line stops at gaps, and a point alone is a dot', () => {
  const path = linePath(
    [1, 2, null, 3],
    (n) => n * 10,
    (value) => value,
  );
  expect(path).toBe('M0 1L10 2M30 3h0.01');
});

it('an outline fills its picture from lowest to highest', () => {
  expect(outlinePath([5, 10, 7.5], 100, 20)).toBe('M0 20L50 0L100 10');
});

it('a level outline is in the middle, and an empty one is nothing', () => {
  expect(outlinePath([3, 3], 100, 20)).toBe('M0 10L100 10');
  expect(outlinePath([null, null], 100, 20)).toBe('');
  expect(outlinePath([], 100, 20)).toBe('');
});
