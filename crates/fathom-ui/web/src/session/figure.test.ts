import { expect, it } from 'vitest';
import { stepTo } from './figure';

it('arrow keys walk through values and stop at the ends', () => {
  expect(stepTo('ArrowRight', null, 5)).toBe(0);
  expect(stepTo('ArrowRight', 4, 5)).toBe(4);
  expect(stepTo('ArrowLeft', 0, 5)).toBe(0);
  expect(stepTo('PageUp', 0, 100)).toBe(10);
  expect(stepTo('End', null, 5)).toBe(4);
  expect(stepTo('x', 2, 5)).toBeNull();
  expect(stepTo('End', null, 0)).toBeNull();
});
