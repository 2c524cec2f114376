import { describe, expect, it } from 'vitest';
import { axisOf, countTexts, counting, linearAxis, logAxis, reachOf, reachOfRatios, tickTexts } from './axis';

describe('a linear axis', () => {
  it('places its ends where it is told, upside down as well', () => {
    const axis = linearAxis([10, 20], 200, 0);
    expect(axis.place(10)).toBe(200);
    expect(axis.place(20)).toBe(0);
    expect(axis.place(15)).toBe(100);
  });

  it('writes ticks in the unit, with as many digits as tell them apart', () => {
    const axis = linearAxis([0.0119, 0.0131], 0, 100, 6);
    expect(tickTexts(axis, { by: 1e-3 })).toEqual(['12.0', '12.2', '12.4', '12.6', '12.8', '13.0']);
  });

  it('counts in whole numbers', () => {
    const axis = counting(linearAxis([0.5, 2.5], 0, 100, 5));
    expect(axis.ticks).toEqual([1, 2]);
    expect(countTexts(counting(linearAxis([1, 300_000], 0, 100, 3)))).toEqual(['100,000', '200,000', '300,000']);
  });
});

describe('a logarithmic axis', () => {
  it('has equal ratios at equal distances', () => {
    const axis = logAxis([1, 100], 0, 200);
    expect(axis.place(10)).toBeCloseTo(100);
  });

  it('has 1, 2, 5 of few decades and powers of many', () => {
    expect(logAxis([1, 100], 0, 200).ticks).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(logAxis([1e-3, 1e3], 0, 200).ticks.map(Math.log10).map(Math.round)).toEqual([-3, -2, -1, 0, 1, 2, 3]);
    expect(logAxis([1e-12, 1e12], 0, 200).ticks.length).toBeLessThan(8);
  });

  it('has evenly spread values where there is no decade, so that ratios near 1 have ticks', () => {
    const axis = logAxis([0.98, 1.06], 0, 400);
    expect(tickTexts(axis, { by: 1 })).toEqual(['0.98', '1.00', '1.02', '1.04', '1.06']);
  });

  it('is not for values that are not above 0', () => {
    expect(axisOf('log', [0, 10], 0, 100).kind).toBe('linear');
    expect(axisOf('log', [0.1, 10], 0, 100).kind).toBe('log');
  });
});

describe('the reach', () => {
  it('leaves out what is not a number, and is null of nothing', () => {
    expect(reachOf([Infinity, 1, NaN, 3, -Infinity], 0)).toEqual([1, 3]);
    expect(reachOf([NaN])).toBeNull();
    expect(reachOfRatios([-1, 0])).toBeNull();
  });

  it('has room around a single value, 0 among them', () => {
    expect(reachOf([20, 20])).toEqual([19, 21]);
    expect(reachOf([0])).toEqual([-1, 1]);
    expect(reachOf([-20])).toEqual([-21, -19]);
  });

  it('of ratios is as wide below 1 as above', () => {
    const [low, high] = reachOfRatios([0.5, 2]) ?? [0, 0];
    expect(low * high).toBeCloseTo(1);
    expect(low).toBeLessThan(0.5);
  });
});
