import { expect, it } from 'vitest';
import { namesOfLines, stepTo } from './figure';

it('arrow keys walk through values and stop at the ends', () => {
  expect(stepTo('ArrowRight', null, 5)).toBe(0);
  expect(stepTo('ArrowRight', 4, 5)).toBe(4);
  expect(stepTo('ArrowLeft', 0, 5)).toBe(0);
  expect(stepTo('PageUp', 0, 100)).toBe(10);
  expect(stepTo('End', null, 5)).toBe(4);
  expect(stepTo('x', 2, 5)).toBeNull();
  expect(stepTo('End', null, 0)).toBeNull();
});

it('two lines have names, and the second is told apart without colours', () => {
  const lines = [
    { name: 'old', series: 1 as const },
    { name: 'new', series: 2 as const },
  ];
  expect(namesOfLines(lines.slice(0, 1))).toEqual([]);
  expect(namesOfLines(lines)).toEqual([
    { mark: 'line', text: 'old', series: 1, isSecond: false },
    { mark: 'line', text: 'new', series: 2, isSecond: true },
  ]);
});
