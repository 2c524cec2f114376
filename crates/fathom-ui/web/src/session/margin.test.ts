import { describe, expect, it } from 'vitest';
import { marginReach, ratioReach } from './margin';

describe('axes of ratios', () => {
  it('have 1 and the margin on them, symmetric as ratios', () => {
    const [low, high] = marginReach(0.25);
    expect([low, high]).toEqual([0.8, 1.25]);
    const reach = ratioReach([3], [2.9, 3.1], 0.01);
    expect(reach[0]).toBeLessThan(1 / 1.01);
    expect(reach[1]).toBeGreaterThan(3.1);
  });

  it('are not stretched by ends without limit or far away', () => {
    const reach = ratioReach([1.02, 1.04], ['-inf', 'inf', 1e6, 0], 0.01);
    expect(reach[0]).toBeGreaterThan(0.8);
    expect(reach[1]).toBeLessThan(1.3);
  });

  it('are some axis even of one ratio without a margin', () => {
    const [low, high] = ratioReach([1], [], 0);
    expect(high).toBeGreaterThan(low);
  });
});
