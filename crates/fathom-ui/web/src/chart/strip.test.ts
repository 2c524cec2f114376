import { describe, expect, it } from 'vitest';
import type { Ribbon } from '../contract';
import { extentOfAll, joinsOf, onOwnTime, onTargetTime, ribbonPath, worse } from './strip';
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
    expect(ribbonPath([10, 20], [30, 40])).toBe('M10 0C10 8 30 8 30 16L40 16C40 8 20 8 20 0Z');
  });
});

describe('a strip', () => {
  const ways = waysFrom('a', [ribbon('b', 10, 0)]);
  const b = ways.get('b') ?? null;

  it('is on the time of the target: the same moments are in one line', () => {
    const placing = onTargetTime(b, [20, 40], 200);
    expect(placing.left(40)).toBe(100);
    expect(placing.view).toEqual([30, 50]);
    expect(placing.moment(100)).toBe(30);
    const alone = onTargetTime(null, [20, 40], 200);
    expect([alone.left(40), alone.moment(100)]).toEqual([200, null]);
  });

  it('is on its own time: all begin at the left, or share the middle of a zoom', () => {
    const whole = onOwnTime(b, [0, 100], 100, null);
    expect([whole.left(40), whole.moment(40)]).toEqual([40, 30]);
    const zoomed = onOwnTime(b, [20, 40], 200, 30);
    expect(zoomed.view).toEqual([30, 50]);
    expect([zoomed.left(40), zoomed.moment(100)]).toEqual([100, 30]);
  });
});
