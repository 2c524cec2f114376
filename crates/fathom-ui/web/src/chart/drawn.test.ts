import { describe, expect, it } from 'vitest';
import type { Series } from '../contract';
import { aired, drawn, lonely, placeOf, reachOf, stretches, valueNear, type Drawn } from './drawn';

const line: Drawn = {
  time: [0, 1, 2, 3, 4, 5],
  values: [1, 2, null, null, 5, 6],
  low: null,
  high: null,
};

describe('a line', () => {
  it('has an envelope only where points stand for several rows', () => {
    const series: Series = {
      run: 'a',
      metric: 'ipc',
      unit: '',
      start: 0,
      end: 1,
      rows: 2,
      thinned: false,
      time: [0, 1],
      values: [1, 2],
      low: [0, 1],
      high: [2, 3],
    };
    expect(drawn(series).low).toBeNull();
    expect(drawn({ ...series, thinned: true }).low).toEqual([0, 1]);
  });

  it('is read at the nearest point', () => {
    expect(valueNear(line, 0.4)).toBe(1);
    expect(valueNear(line, 0.6)).toBe(2);
    expect(valueNear(line, 5)).toBe(6);
  });

  it('says nothing in a gap and beyond its ends', () => {
    expect(valueNear(line, 2.4)).toBeNull();
    expect(valueNear(line, 7)).toBeNull();
    expect(valueNear(line, -2)).toBeNull();
    expect(valueNear({ time: [], values: [], low: null, high: null }, 0)).toBeNull();
  });

  it('reaches as far as the rows behind it, in view', () => {
    const thinned: Drawn = { ...line, low: [0, 1, null, null, 4, 5], high: [3, 4, null, null, 9, 8] };
    expect(reachOf(line, [0, 5])).toEqual([1, 6]);
    expect(reachOf(thinned, [0, 5])).toEqual([0, 9]);
    expect(reachOf(thinned, [0, 0.5])).toEqual([0, 4]);
    expect(reachOf(line, [2.2, 2.8])).toBeNull();
  });

  it('that crosses a narrow view is seen in it', () => {
    expect(reachOf(line, [0.2, 0.3])).toEqual([1, 2]);
  });

  it('that is level has room', () => {
    for (const value of [0, 5, -5]) {
      const [low, high] = aired([value, value]);
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThan(value);
    }
    expect(aired(null)).toEqual([0, 1]);
  });

  it('has stretches between gaps, and points alone', () => {
    expect(stretches(line.values)).toEqual([
      [0, 1],
      [4, 5],
    ]);
    expect(stretches([null, 1, null, 2])).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(stretches([])).toEqual([]);
    expect(lonely([null, 1, null, 2, 3, null, 4])).toEqual([1, 6]);
  });

  it('finds the place of a time', () => {
    expect(placeOf([0, 1, 2], 1)).toBe(1);
    expect(placeOf([0, 1, 2], 1.5)).toBe(2);
    expect(placeOf([0, 1, 2], 9)).toBe(3);
  });
});
