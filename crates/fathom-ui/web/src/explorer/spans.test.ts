import { describe, expect, it } from 'vitest';
import { around, carried, fresh, moved, neat, neatTime, overlap, resized, tidied } from './spans';

describe('a window', () => {
  it('moves as far as there is room, and keeps its length', () => {
    expect(moved([2, 4], 3, [0, 10])).toEqual([5, 7]);
    expect(moved([2, 4], 30, [0, 10])).toEqual([8, 10]);
    expect(moved([2, 4], -30, [0, 10])).toEqual([0, 2]);
    expect(moved([2, 40], 1, [0, 10])).toEqual([0, 10]);
  });

  it('never gets empty, nor longer than what there is', () => {
    expect(resized([2, 4], 1, [0, 10], 0.5)).toEqual([2, 5]);
    expect(resized([2, 4], -9, [0, 10], 0.5)).toEqual([2, 2.5]);
    expect(resized([2, 4], 90, [0, 10], 0.5)).toEqual([2, 10]);
  });

  it('is put where none is', () => {
    expect(fresh([0, 10], [], null)).toEqual([4.5, 5.5]);
    const second = fresh([0, 10], [[4, 6]], null);
    expect(overlap(second, [4, 6])).toBeNull();
    expect(fresh([0, 10], [[4, 6]], 9.9)).toEqual([9, 10]);
    expect(fresh([0, 10], [[0, 10]], null)).toEqual([4.5, 5.5]);
  });
});

describe('windows', () => {
  it('that meet are one', () => {
    expect(
      tidied([
        [5, 7],
        [1, 2],
        [6, 9],
        [9, 10],
        [3, 3],
      ]),
    ).toEqual([
      [1, 2],
      [5, 10],
    ]);
  });

  it('are looked at with some room', () => {
    expect(
      around(
        [
          [4, 5],
          [7, 8],
        ],
        0.25,
        [0, 20],
      ),
    ).toEqual([3, 9]);
    expect(around([[0, 8]], 0.5, [0, 10])).toEqual([0, 10]);
    expect(around([], 1, [0, 10])).toBeNull();
  });
});

it('moments are carried over between the nearest pairs', () => {
  const [here, there] = [
    [0, 2, 4],
    [10, 20, 21],
  ];
  expect([0, 1, 2, 3, 4].map((time) => carried(time, here, there))).toEqual([10, 15, 20, 20.5, 21]);
  expect([-5, 9].map((time) => carried(time, here, there))).toEqual([10, 21]);
  expect(carried(3, [], [])).toBe(3);
  expect(carried(2, [2, 2, 3], [5, 6, 7])).toBe(5);
});

describe('times', () => {
  it('have no more digits than can be seen', () => {
    expect(neatTime(11.177821395420793, [0, 20], new Set())).toBe(11.18);
    expect(neatTime(0.00012345678, [0, 0.001], new Set())).toBe(0.000123);
    expect(neatTime(123456.789, [0, 1e6], new Set())).toBe(123000);
    expect(neatTime(-3.14159, [-5, 5], new Set())).toBe(-3.14);
  });

  it('that are known stay as they are', () => {
    expect(neat([1.23456789, 4.56789123], [0, 10], new Set([1.23456789]))).toEqual([1.23456789, 4.57]);
  });

  it('stay a stretch', () => {
    expect(neat([1.0001, 1.0002], [0, 10], new Set())).toEqual([1.0001, 1.0002]);
    expect(neatTime(5, [3, 3], new Set())).toBe(5);
  });
});
