import { describe, expect, it } from 'vitest';
import { readFragment, writeFragment } from './fragment';
import type { SessionOptions } from '../contract';

const GIVEN: SessionOptions = {
  confidence: 0.95,
  outliers: 'flag',
  outlier_method: 'simplified',
  steady_state: 'auto',
  statistic: 'median',
};

describe('the address', () => {
  it('says what it wishes and leaves the rest', () => {
    const wish = readFragment('#confidence=0.99&outliers=remove', GIVEN);
    expect(wish.options).toEqual({ ...GIVEN, confidence: 0.99, outliers: 'remove' });
    expect(wish).toMatchObject({ subject: null, axis: null, refused: [] });
    expect(readFragment('', GIVEN).options).toEqual(GIVEN);
  });

  it('comes back as it was written, whatever subjects are called', () => {
    const wish = {
      options: {
        confidence: 0.999,
        outliers: 'keep',
        outlier_method: 'full',
        steady_state: 120,
        statistic: 'p99',
      } as SessionOptions,
      subject: '<img src=x onerror=alert(1)> & #100% = "ä"',
      axis: 'log' as const,
    };
    expect(readFragment(`#${writeFragment('', wish, GIVEN)}`, GIVEN)).toEqual({ ...wish, refused: [] });
  });

  it('is empty of what is as it was, and keeps what others wrote', () => {
    const plain = { options: GIVEN, subject: null, axis: null };
    expect(writeFragment('#confidence=0.9&theme=dark', plain, GIVEN)).toBe('theme=dark');
  });

  it('that makes no sense changes nothing, and is told so', () => {
    const wish = readFragment(
      '#confidence=200&outliers=hide&outlier_method=grubbs&steady_state=soon&statistic=p1&axis=cubic',
      GIVEN,
    );
    expect(wish.options).toEqual(GIVEN);
    expect(wish.axis).toBeNull();
    expect(wish.refused).toHaveLength(5);
    for (const said of [
      'confidence=200',
      'outliers=hide',
      'flag, remove, keep',
      'outlier_method=grubbs',
      'steady_state=soon',
      'statistic=p1',
    ]) {
      expect(wish.refused.join(' ')).toContain(said);
    }
  });
});
