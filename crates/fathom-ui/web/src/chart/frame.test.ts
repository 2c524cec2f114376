import { expect, it } from 'vitest';
import { rounded, seen, timeAt, valueAt, x, y, type Frame } from './frame';

const frame: Frame = { left: 60, top: 8, width: 1000, height: 200, view: [20, 40], reach: [-1, 3] };

it('places lead to times and values and back', () => {
  expect(x(frame, 20)).toBe(60);
  expect(x(frame, 40)).toBe(1060);
  expect(y(frame, 3)).toBe(8);
  expect(y(frame, -1)).toBe(208);
  expect(timeAt(frame, x(frame, 33.3))).toBeCloseTo(33.3, 12);
  expect(valueAt(frame, y(frame, 1.7))).toBeCloseTo(1.7, 12);
});

it('of a stretch only what is in view is seen', () => {
  expect(seen(frame, [10, 30])).toEqual({ left: 60, width: 500 });
  expect(seen(frame, [10, 100])).toEqual({ left: 60, width: 1000 });
  expect(seen(frame, [10, 15])).toBeNull();
});

it('what is drawn by hand has no more digits than pixels', () => {
  expect(rounded(31.04837, 0.05)).toBe(31.05);
  expect(rounded(55.00000000000001, 0.1)).toBe(55);
  expect(rounded(1234.4, 12)).toBe(1234);
  expect(rounded(0.00012345, 1e-6)).toBe(0.000123);
});
