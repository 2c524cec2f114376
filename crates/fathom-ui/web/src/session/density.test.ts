import { describe, expect, it } from 'vitest';
import { bars, barsOnLog, commonWidth, total } from './density';

describe('histograms', () => {
  const fine = { edges: [0, 1, 2], counts: [10, 10], beyond: 0 };
  const coarse = { edges: [0, 2], counts: [20], beyond: 0 };

  it('of the same samples are equally high, however wide their bars', () => {
    const width = commonWidth([fine, coarse]);
    expect(bars(fine, width).map((bar) => bar.height)).toEqual([0.5, 0.5]);
    expect(bars(coarse, width).map((bar) => bar.height)).toEqual([0.5]);
  });

  it('count what lies beyond as samples', () => {
    const some = { ...fine, beyond: 20 };
    expect(total(some)).toBe(40);
    expect(bars(some, 1)[0]?.share).toBe(0.25);
  });

  it('have no height where a bar has no width', () => {
    expect(bars({ edges: [1, 1], counts: [5], beyond: 0 }, 1)[0]?.height).toBe(0);
    expect(commonWidth([])).toBe(1);
  });

  it('on a logarithmic axis have bars of equal ratio that have all samples', () => {
    const ecdf = { x: [1, 10, 100, 1000], p: [0.25, 0.5, 0.75, 1], band: null };
    const all = barsOnLog(ecdf, 40, [0.5, 2000], 10);
    const first = all[0];
    expect((first?.to ?? 0) / (first?.from ?? 1)).toBeCloseTo((all[9]?.to ?? 0) / (all[9]?.from ?? 1));
    expect(all.reduce((sum, bar) => sum + bar.count, 0)).toBe(40);
  });
});
