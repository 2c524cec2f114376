import { expect, it } from 'vitest';
import { outlyingText } from './outlying';

it('says whether an outlier has company, and how far it is from its neighbours', () => {
  expect(outlyingText({ index: 3, kind: 'standalone', factor: 41.3 })).toBe('standalone, local outlier factor 41');
  expect(outlyingText({ index: 3, kind: 'clustered', factor: 0.9834 })).toBe('clustered, local outlier factor 0.98');
  expect(outlyingText({ index: 3, kind: null, factor: 2.34 })).toBe('local outlier factor 2.3');
  expect(outlyingText({ index: 3, kind: null, factor: 1.24e9 })).toBe('local outlier factor 1.2e9');
});
