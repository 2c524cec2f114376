import { describe, expect, it } from 'vitest';
import { scale, withUnit } from './quantity';

describe('units that fit', () => {
  it('scales rates of times as times, per second', () => {
    expect(withUnit(5e6, 'ns/s')).toBe('5 ms/s');
    expect(withUnit(2.5e8, 'ns/s')).toBe('250 ms/s');
    expect(withUnit(12, 'ms/s')).toBe('12 ms/s');
    expect(scale('ns/s', 1e9)).toEqual({ by: 1e9, unit: 's/s' });
    expect(withUnit(5e6, 'ns')).toBe('5 ms');
  });

  it('keeps other units', () => {
    expect(withUnit(5e6, 'faults/s')).toBe('5 Mfaults/s');
    expect(withUnit(12.4, '')).toBe('12.4');
    expect(withUnit(2048, 'B')).toBe('2 KiB');
  });
});
