import { describe, expect, it } from 'vitest';
import { relationOf } from './relation';

describe('how a metric goes with the target', () => {
  it('is said in words', () => {
    expect(relationOf({ sign: -1, lag: -0.3 })).toEqual({
      mark: '↓',
      sign: 'against the target',
      lag: '300 ms before',
    });
    expect(relationOf({ sign: 1, lag: 2 })).toEqual({ mark: '↑', sign: 'with the target', lag: '2 s after' });
    expect(relationOf({ sign: 0, lag: 0 })).toEqual({ mark: '', sign: '', lag: '' });
  });
});
