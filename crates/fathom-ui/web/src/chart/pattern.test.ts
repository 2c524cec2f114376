import { describe, expect, it } from 'vitest';
import type { Knot } from '../contract';
import { isWhole, movedKnot, withKnot, withoutKnot } from './pattern';

const knots: Knot[] = [
  [1, 10],
  [2, 20],
  [3, 30],
];

describe('a pattern', () => {
  it('keeps its knots in order', () => {
    expect(withKnot(knots, [2.5, 5], 0.1)).toEqual({
      knots: [
        [1, 10],
        [2, 20],
        [2.5, 5],
        [3, 30],
      ],
      place: 2,
    });
    expect(withKnot(knots, [0, 5], 0.1).place).toBe(0);
    expect(withKnot(knots, [9, 5], 0.1).place).toBe(3);
    expect(withKnot([], [1, 1], 0.1)).toEqual({ knots: [[1, 1]], place: 0 });
  });

  it('has one height at a moment', () => {
    const { knots: made, place } = withKnot(knots, [2.05, 99], 0.1);
    expect(place).toBe(1);
    expect(made).toHaveLength(3);
    expect(made[1]).toEqual([2.05, 99]);
  });

  it('moves a knot between its neighbours only', () => {
    expect(movedKnot(knots, 1, [9, 5], 0.1, [0, 10])[1]).toEqual([2.9, 5]);
    expect(movedKnot(knots, 1, [-9, 5], 0.1, [0, 10])[1]).toEqual([1.1, 5]);
    expect(movedKnot(knots, 0, [-9, 5], 0.1, [0, 10])[0]).toEqual([0, 5]);
    expect(movedKnot(knots, 2, [99, 5], 0.1, [0, 10])[2]).toEqual([10, 5]);
  });

  it('has increasing times however close its neighbours are', () => {
    const close: Knot[] = [
      [1, 0],
      [1.05, 0],
      [1.1, 0],
    ];
    const moved = movedKnot(close, 1, [5, 0], 0.2, [0, 10]);
    expect(moved[0]?.[0]).toBeLessThan(moved[1]?.[0] ?? 0);
    expect(moved[1]?.[0]).toBeLessThan(moved[2]?.[0] ?? 0);
  });

  it('is not changed in place', () => {
    movedKnot(knots, 1, [2.5, 0], 0.1, [0, 10]);
    expect(knots[1]).toEqual([2, 20]);
  });

  it('is none without knots, and can be asked by with two', () => {
    expect(withoutKnot([[1, 1]], 0)).toBeNull();
    expect(withoutKnot(knots, 1)).toEqual([
      [1, 10],
      [3, 30],
    ]);
    expect([null, [], knots.slice(0, 1), knots.slice(0, 2)].map(isWhole)).toEqual([true, false, false, true]);
  });
});
