import { expect, it } from 'vitest';
import { laidOut } from './picture';

const piece = (width: number, height: number) => ({ caption: '', width, height });

it('charts lie one under the other without touching', () => {
  const pieces = [piece(800, 300), piece(500, 60), piece(500, 60)];
  const { width, height, tops, left } = laidOut(pieces, 0, 16000);
  expect(width).toBeGreaterThan(800);
  expect(left).toBe(0);
  pieces.forEach((one, n) => expect(tops[n + 1] ?? height).toBeGreaterThan((tops[n] ?? 0) + one.height));
});

it('what does not fit is left out and counted', () => {
  const { height, tops, left } = laidOut(
    Array.from({ length: 100 }, () => piece(500, 60)),
    7,
    2000,
  );
  expect(height).toBeLessThanOrEqual(2000);
  expect(tops.length).toBeGreaterThan(20);
  expect(left).toBe(107 - tops.length);
});
