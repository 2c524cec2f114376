import { describe, expect, it } from 'vitest';
import type { Ribbon } from '../contract';
import { extentOfAll, joinsOf, ribbonPath, worse } from './strip';
import { waysFrom } from './warp';

const ribbon = (to: string, by: number, difference: number): Ribbon => ({
  from: 'a',
  to,
  here: [0, 50, 100],
  there: [by, 50 + by, 100 + by],
  difference: [0, difference, difference],
  fit: 'good',
  cost_per_step: 0,
});

describe('two neighbours', () => {
  const ways = waysFrom('a', [ribbon('b', 10, 0), ribbon('c', 30, 1)]);
  const [b, c] = [ways.get('b'), ways.get('c')];

  it('share moments through the reference', () => {
    if (!b || !c) throw new Error('both are aligned');
    const joins = joinsOf(b, c, [0, 100], 4);
    expect(joins.map(({ above, below }) => [above, below])).toEqual([
      [22.5, 42.5],
      [47.5, 67.5],
      [72.5, 92.5],
      [97.5, 117.5],
    ]);
  });

  it('are as sure of them as the one that is less like the reference', () => {
    if (!b || !c) throw new Error('both are aligned');
    expect(joinsOf(b, c, [0, 100], 2).map(({ sure }) => sure)).toEqual([0.5, 0.5]);
    expect(joinsOf(b, b, [0, 100], 1)[0]?.sure).toBe(1);
  });

  it('fit as well as the worse of them', () => {
    expect(worse('good', 'poor')).toBe('poor');
    expect(worse('fair', null)).toBe('fair');
    expect(worse(null, null)).toBe('good');
  });
});

describe('strips', () => {
  it('have room for all runs', () => {
    expect(extentOfAll([ribbon('b', 10, 0)], [[-5, 20]])).toEqual([-5, 110]);
    expect(extentOfAll([], [])).toEqual([0, 1]);
  });

  it('are joined from the window above to the window below', () => {
    expect(ribbonPath([1, 2], [3, 4], (time) => time * 10)).toBe('M10 0C10 8 30 8 30 16L40 16C40 8 20 8 20 0Z');
  });
});
