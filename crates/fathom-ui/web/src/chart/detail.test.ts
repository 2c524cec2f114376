import { describe, expect, it } from 'vitest';
import { spliced, suffices, wanted } from './detail';
import type { Drawn } from './drawn';

describe('what is wanted for a view', () => {
  it('is a view and a half around it, as fine as the view', () => {
    expect(wanted([40, 60], [0, 100], 500)).toEqual({ span: [30, 70], columns: 1000 });
    expect(wanted([0, 20], [0, 100], 500)).toEqual({ span: [0, 30], columns: 750 });
  });

  it('is not asked for again by a small pan or zoom', () => {
    const loaded = wanted([40, 60], [0, 100], 500);
    expect(suffices(loaded, [40, 60], [0, 100], 500)).toBe(true);
    expect(suffices(loaded, [45, 65], [0, 100], 500)).toBe(true);
    expect(suffices(loaded, [42, 58], [0, 100], 500)).toBe(true);
  });

  it('is asked for when the view leaves it or is much closer', () => {
    const loaded = wanted([40, 60], [0, 100], 500);
    expect(suffices(loaded, [55, 75], [0, 100], 500)).toBe(false);
    expect(suffices(loaded, [48, 52], [0, 100], 500)).toBe(false);
  });

  it('is not asked for beyond the ends', () => {
    expect(suffices({ span: [0, 100], columns: 500 }, [-20, 110], [0, 100], 500)).toBe(true);
  });
});

describe('fine data', () => {
  const coarse: Drawn = { time: [0, 2, 4, 6, 8], values: [0, 2, 4, 6, 8], low: [0, 1, 3, 5, 7], high: [1, 3, 5, 7, 9] };

  it('take the place of coarse ones', () => {
    const fine: Drawn = { time: [3, 4, 5, 6], values: [30, null, 50, 60], low: null, high: null };
    expect(spliced(coarse, fine)).toEqual({
      time: [0, 2, 3, 4, 5, 6, 8],
      values: [0, 2, 30, null, 50, 60, 8],
      low: [0, 1, 30, null, 50, 60, 7],
      high: [1, 3, 30, null, 50, 60, 9],
    });
  });

  it('may be none', () => {
    expect(spliced(coarse, null)).toBe(coarse);
    expect(spliced(coarse, { time: [], values: [], low: null, high: null })).toBe(coarse);
  });
});
