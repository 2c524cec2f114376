import { describe, expect, it } from 'vitest';
import { linearAxis, logAxis } from './axis';
import { asNumber, placeEnd } from './ends';

describe('ends of intervals', () => {
  const axis = linearAxis([0, 10], 100, 0);

  it('inside are where they are', () => {
    expect(placeEnd(5, axis)).toEqual({ at: 50, beyond: false });
    expect(placeEnd(10, axis)).toEqual({ at: 0, beyond: false });
  });

  it('that are infinite stop where the axis does, and say so', () => {
    expect(placeEnd('inf', axis)).toEqual({ at: 0, beyond: true });
    expect(placeEnd('-inf', axis)).toEqual({ at: 100, beyond: true });
    expect(placeEnd(1e9, axis)).toEqual({ at: 0, beyond: true });
  });

  it('that no logarithm has are beyond its low end', () => {
    const log = logAxis([0.5, 2], 0, 100);
    expect(placeEnd(0, log)).toEqual({ at: 0, beyond: true });
    expect(placeEnd(-3, log)).toEqual({ at: 0, beyond: true });
    expect(placeEnd(NaN, log).beyond).toBe(true);
  });

  it('are numbers', () => {
    expect([asNumber('inf'), asNumber('-inf'), asNumber(2)]).toEqual([Infinity, -Infinity, 2]);
  });
});
