import { describe, expect, it } from 'vitest';
import { around, clamped, merged, ordered, shifted } from './span';

describe('spans', () => {
  it('go from the earlier to the later', () => {
    expect(ordered(3, 1)).toEqual([1, 3]);
    expect(ordered(1, 3)).toEqual([1, 3]);
  });

  it('are one where they touch or overlap', () => {
    expect(
      merged([
        [5, 6],
        [1, 2],
        [2, 3],
      ]),
    ).toEqual([
      [1, 3],
      [5, 6],
    ]);
    expect(
      merged([
        [1, 10],
        [2, 3],
      ]),
    ).toEqual([[1, 10]]);
    expect(merged([])).toEqual([]);
  });

  it('are not changed by merging', () => {
    const spans: [number, number][] = [
      [1, 3],
      [2, 5],
    ];
    merged(spans);
    expect(spans).toEqual([
      [1, 3],
      [2, 5],
    ]);
  });

  it('keep their width at a bound', () => {
    expect(shifted([2, 4], 100, [0, 10])).toEqual([8, 10]);
    expect(shifted([2, 4], -100, [0, 10])).toEqual([0, 2]);
    expect(shifted([2, 4], 1, [0, 10])).toEqual([3, 5]);
  });

  it('have bounds', () => {
    expect(clamped(-1, [0, 1])).toBe(0);
    expect(clamped(2, [0, 1])).toBe(1);
    expect(
      around([
        [3, 4],
        [1, 2],
      ]),
    ).toEqual([1, 4]);
    expect(around([])).toBeNull();
  });
});
