import { describe, expect, it } from 'vitest';
import type { Ribbon } from '../contract';
import { carriedLine, carriedSpan, toReference, toRun, waysFrom } from './warp';

const ribbon: Ribbon = {
  from: 'a',
  to: 'b',
  here: [0, 10, 20],
  there: [5, 10, 40],
  difference: [0, 0, 0],
  fit: 'good',
  cost_per_step: 0,
};

describe('a moment carried along a ribbon', () => {
  it('goes on evenly between matched moments', () => {
    expect(toRun(ribbon)(5)).toBe(7.5);
    expect(toRun(ribbon)(15)).toBe(25);
    expect(toReference(ribbon)(25)).toBe(15);
  });

  it('is exact where moments are matched', () => {
    for (const [n, here] of ribbon.here.entries()) expect(toRun(ribbon)(here)).toBe(ribbon.there[n]);
    for (const [n, there] of ribbon.there.entries()) expect(toReference(ribbon)(there)).toBe(ribbon.here[n]);
  });

  it('keeps its pace before the first and after the last', () => {
    expect(toRun(ribbon)(-2)).toBe(3);
    expect(toRun(ribbon)(23)).toBe(43);
    expect(toReference(ribbon)(43)).toBe(23);
  });

  it('comes back', () => {
    for (let time = -5; time < 30; time += 0.37) {
      expect(toReference(ribbon)(toRun(ribbon)(time))).toBeCloseTo(time, 9);
    }
  });

  it('never goes back in time, not even where one run stands still', () => {
    const still = { here: [0, 1, 1, 2], there: [0, 0, 3, 4] };
    let before = -Infinity;
    for (let time = -1; time < 6; time += 0.01) {
      const now = toReference(still)(time);
      expect(now).toBeGreaterThanOrEqual(before);
      expect(Number.isFinite(now)).toBe(true);
      before = now;
    }
  });
});

describe('ways between runs', () => {
  it('go along the ribbon that begins at the reference', () => {
    const ways = waysFrom('a', [{ ...ribbon, from: 'c', there: [0, 0, 0] }, ribbon]);
    expect(ways.get('b')?.toRun(5)).toBe(7.5);
    expect(ways.get('nobody')).toBeUndefined();
  });

  it('of the reference stay', () => {
    const stay = waysFrom('a', []).get('a');
    expect(stay?.toRun(3)).toBe(3);
    const line = { time: [0, 1], values: [1, 2], low: null, high: null };
    expect(carriedLine(line, stay?.toReference ?? (() => 0))).toBe(line);
  });

  it('lead through nothing where nothing is matched', () => {
    expect(waysFrom('a', [{ ...ribbon, here: [], there: [] }]).has('b')).toBe(false);
  });

  it('compose through the reference', () => {
    const ways = waysFrom('a', [ribbon, { ...ribbon, to: 'c', there: [100, 110, 120] }]);
    const inC = (time: number) => ways.get('c')?.toRun(ways.get('b')?.toReference(time) ?? NaN);
    expect(inC(25)).toBe(115);
  });

  it('carry stretches and lines', () => {
    expect(carriedSpan([0, 15], toRun(ribbon))).toEqual([5, 25]);
    const line = { time: [5, 10, 25], values: [1, null, 3], low: null, high: null };
    expect(carriedLine(line, toReference(ribbon))).toEqual({ ...line, time: [0, 10, 15] });
  });
});
