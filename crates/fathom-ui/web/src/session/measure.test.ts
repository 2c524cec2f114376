import { describe, expect, it } from 'vitest';
import { asDifference, count, fitting, measured, percent, ratioText, rounded } from './measure';

describe('units', () => {
  it('of times fit, whichever they came in', () => {
    expect(measured(0.0124312, fitting('s', 0.0124))).toBe('12.4312 ms');
    expect(measured(2_500_000, fitting('ns', 2_500_000))).toBe('2.5 ms');
    expect(measured(1500, fitting('ms', 1500))).toBe('1.5 s');
    expect(measured(12, fitting('us', 12))).toBe('12 µs');
  });

  it('that are not known are left alone', () => {
    expect(measured(812, fitting('', 812))).toBe('812');
    expect(measured(3, fitting('requests', 3))).toBe('3 requests');
  });
});

it('shares have no digits that floating point made up', () => {
  expect([percent(0.95), percent(0.999), percent(0.07)]).toEqual(['95%', '99.9%', '7%']);
});

describe('ratios', () => {
  it('are differences near 1 and multiples far away', () => {
    expect(asDifference(1.041)).toBe('+4.1%');
    expect(asDifference(0.997)).toBe('−0.3%');
    expect(asDifference(1)).toBe('0%');
    expect(asDifference(3.2)).toBe('3.2 times as much');
    expect(asDifference(0.168)).toBe('−83.2%');
    expect(asDifference(0.1)).toBe('−90%');
    expect(asDifference(0.00012)).toBe('−99.988%');
  });

  it('may be without an end', () => {
    expect(asDifference('inf')).toBe('no limit');
    expect(asDifference('-inf')).toBe('no limit');
    expect([ratioText('inf'), ratioText('-inf'), ratioText(1.0412345)]).toEqual(['∞', '0', '1.0412']);
  });
});

it('counts', () => {
  expect([count(1, 'sample'), count(1200, 'sample')]).toEqual(['1 sample', '1,200 samples']);
});

it('rounding takes the noise of sums away and nothing else', () => {
  expect([0.1 + 0.2, 10 ** -5, 9_882_913.09929651].map(rounded)).toEqual([0.3, 0.00001, 9_882_913.0993]);
});
