import { describe, expect, it } from 'vitest';
import { arrowheads, band, closest, crosses, dots, line, middlesOfRuns, rings, stairs, stairsBand } from './path';

describe('a line', () => {
  it('goes from point to point, in tenths of pixels', () => {
    expect(line([0, 1.2345, 2], [5, 6, 7])).toBe('M0 5L1.2 6L2 7');
  });

  it('has gaps where there is no number, and none for a point that is missing', () => {
    expect(line([0, 1, 2, 3], [5, NaN, 7, 8])).toBe('M0 5M2 7L3 8');
    expect(line([0, 1, 2], [5, 6])).toBe('M0 5L1 6');
    expect(line([0, 1], [Infinity, 6])).toBe('M1 6');
    expect(line([], [])).toBe('');
  });
});

describe('stairs', () => {
  it('hold each height to the next place', () => {
    expect(stairs([0, 10, 20], [5, 4, 1], 30)).toBe('M0 5H10V4H20V1H30');
  });

  it('have a band with the same corners', () => {
    expect(stairsBand([0, 10], [5, 4], [3, 2], 20)).toBe('M0 3L10 3L10 2L20 2L20 4L10 4L10 5L0 5Z');
    expect(stairsBand([], [], [], 20)).toBe('');
  });
});

describe('a band', () => {
  it('goes there above and back below', () => {
    expect(band([0, 1], [9, 8], [1, 2])).toBe('M0 1L1 2L1 8L0 9Z');
  });

  it('is cut where either side has a gap; one point alone has no area', () => {
    expect(band([0, 1, 2, 3, 4], [9, 9, NaN, 9, 9], [1, 1, 1, 1, 1])).toBe('M0 1L1 1L1 9L0 9ZM3 1L4 1L4 9L3 9Z');
    expect(band([0, 1, 2], [9, NaN, 9], [1, 1, 1])).toBe('');
  });
});

describe('marks', () => {
  const two = [
    { x: 1, y: 2 },
    { x: 3.14159, y: 4 },
  ];

  it('of thousands of points are one path', () => {
    expect(dots(two)).toBe('M1 2h0M3.1 4h0');
    expect(rings([{ x: 5, y: 5 }], 2)).toBe('M3 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0');
    expect(crosses([{ x: 5, y: 5 }], 2)).toBe('M3 3l4 4m0 -4l-4 4');
    expect(dots([])).toBe('');
  });

  it('of open ends have their tip at the point and open away from it', () => {
    expect(arrowheads([{ x: 5, y: 5 }], 'up', 10)).toBe('M5 5l7 10h-14Z');
    expect(arrowheads([{ x: 5, y: 5 }], 'down', 10)).toBe('M5 5l7 -10h-14Z');
    expect(arrowheads([{ x: 5, y: 5 }], 'left', 10)).toBe('M5 5l10 7v-14Z');
    expect(arrowheads([{ x: 5, y: 5 }], 'right', 10)).toBe('M5 5l-10 7v-14Z');
  });
});

it('neighbours that go on together have one arrow', () => {
  expect(middlesOfRuns([true, true, true, false, true])).toEqual([1, 4]);
  expect(middlesOfRuns([false, false])).toEqual([]);
  expect(middlesOfRuns([])).toEqual([]);
});

describe('the closest point', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 100 },
    { x: 12, y: 0 },
  ];

  it('is so by column, or by both', () => {
    expect(closest(points, { x: 10.5, y: 0 }, 'x')).toBe(1);
    expect(closest(points, { x: 10.5, y: 0 }, 'both')).toBe(2);
  });

  it('is none of none, and never one without a place', () => {
    expect(closest([], { x: 0, y: 0 }, 'x')).toBeNull();
    expect(
      closest(
        [
          { x: NaN, y: 1 },
          { x: 500, y: 1 },
        ],
        { x: 0, y: 0 },
        'both',
      ),
    ).toBe(1);
  });
});
