import { describe, expect, it } from 'vitest';
import { valueAxis } from './axis';

describe('a value axis', () => {
  it('has round labels in the unit that fits', () => {
    expect(valueAxis([0, 3 * 2 ** 20], 'B', 3)).toEqual({
      ticks: [0, 2 ** 20, 2 * 2 ** 20, 3 * 2 ** 20],
      labels: ['0', '1', '2', '3'],
      unit: 'MiB',
    });
    expect(valueAxis([-1, 1], '', 2).labels).toEqual(['−1', '0', '1']);
  });

  it('has two labels at least, wherever it lies', () => {
    for (const [low, high] of [
      [0.013, 0.0395],
      [9, 10.5],
      [-3.2, -1.1],
      [1e6, 1e6 + 3],
      [0.9, 1.95],
    ] as const) {
      for (const about of [2, 3, 5]) {
        const axis = valueAxis([low, high], '', about);
        expect(axis.labels.length, `${low} to ${high}`).toBeGreaterThan(1);
        expect(new Set(axis.labels).size).toBe(axis.labels.length);
      }
    }
  });
});
