import { expect, test } from 'vitest';
import { chosenIn, fragmentOf, keyedTo } from './chosen';

test('the address names a question', () => {
  expect(chosenIn('#question=3', 5)).toBe(2);
  expect(chosenIn('', 5)).toBe(0);
  for (const wrong of ['#question=0', '#question=6', '#question=x', '#question=1e9', '#question=-1']) {
    expect(chosenIn(wrong, 5), wrong).toBe(0);
  }
  for (const place of [0, 1, 4]) expect(chosenIn(`#${fragmentOf(place)}`, 5)).toBe(place);
});

test('j and k go through the questions and stop at the ends', () => {
  expect(keyedTo('j', 0, 2)).toBe(1);
  expect(keyedTo('j', 1, 2)).toBeNull();
  expect(keyedTo('k', 0, 2)).toBeNull();
  expect(keyedTo('x', 0, 2)).toBeNull();
});
