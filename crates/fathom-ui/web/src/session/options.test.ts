import { describe, expect, it } from 'vitest';
import { keyed } from './keys';
import { after, blamed, parseConfidence, parseSkipped, same } from './options';
import type { SessionOptions } from '../contract';

const OPTIONS: SessionOptions = {
  confidence: 0.95,
  outliers: 'flag',
  outlier_method: 'simplified',
  steady_state: 'auto',
  statistic: 'median',
};

describe('a confidence', () => {
  it('is read as a share, as percent and as a bare percentage', () => {
    for (const text of ['99.9', ' 99.9% ', '0.999', '99,9']) expect(parseConfidence(text)).toEqual({ value: 0.999 });
    expect(parseConfidence('50')).toEqual({ value: 0.5 });
  });

  it('is refused with the value and the rule', () => {
    for (const text of ['100', '1', '0.3', '49', '-5', 'x', '1e9', '0.95%', 'Infinity']) {
      const parsed = parseConfidence(text);
      expect(parsed).toHaveProperty('problem');
      if ('problem' in parsed) expect(parsed.problem).toContain(`“${text}”`);
    }
    expect(parseConfidence('')).toEqual({ problem: expect.stringContaining('the field is empty') });
  });
});

it('samples to skip are whole numbers', () => {
  expect(parseSkipped('120')).toEqual({ value: 120 });
  expect(parseSkipped('0')).toEqual({ value: 0 });
  for (const text of ['1.5', '-1', '', 'many', '1e400']) expect(parseSkipped(text)).toHaveProperty('problem');
});

describe('keys', () => {
  it('go to the next value and round', () => {
    expect(keyed('o', OPTIONS)).toEqual({ outliers: 'remove' });
    expect(keyed('o', { ...OPTIONS, outliers: 'keep' })).toEqual({ outliers: 'flag' });
    expect(keyed('s', OPTIONS)).toEqual({ steady_state: 'off' });
    expect(keyed('c', { ...OPTIONS, confidence: 0.99 })).toEqual({ confidence: 0.9 });
  });

  it('leave a typed value for the first, and other keys to others', () => {
    expect(keyed('s', { ...OPTIONS, steady_state: 120 })).toEqual({ steady_state: 'auto' });
    expect(keyed('c', { ...OPTIONS, confidence: 0.999 })).toEqual({ confidence: 0.9 });
    expect(keyed('x', OPTIONS)).toBeNull();
    expect(after([], 3)).toBe(3);
  });
});

it('an error stands beside the switch that it came from', () => {
  const wish: SessionOptions = { ...OPTIONS, outliers: 'remove', statistic: 'mean' };
  expect(blamed(wish, OPTIONS, 'statistic')).toBe('statistic');
  expect(blamed(wish, OPTIONS, 'confidence')).toBe('outliers');
  expect(blamed({ ...OPTIONS, steady_state: 7 }, OPTIONS, null)).toBe('steady_state');
});

it('options are the same if all of them are', () => {
  expect(same(OPTIONS, { ...OPTIONS })).toBe(true);
  const others: Partial<SessionOptions>[] = [
    { confidence: 0.9 },
    { outliers: 'keep' },
    { outlier_method: 'mad' },
    { steady_state: 3 },
    { statistic: 'mean' },
  ];
  for (const other of others) expect(same(OPTIONS, { ...OPTIONS, ...other })).toBe(false);
});
