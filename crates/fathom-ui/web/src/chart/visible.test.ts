import { expect, it } from 'vitest';
import { rowAt, visibleRows } from './visible';

it('rows in sight are those in sight and a spare one on both sides', () => {
  expect(visibleRows(0, 400, 80, 300, 1)).toEqual({ first: 0, end: 6 });
  expect(visibleRows(8000, 400, 80, 300, 1)).toEqual({ first: 99, end: 106 });
  expect(visibleRows(24000, 400, 80, 300, 1)).toEqual({ first: 299, end: 300 });
});

it('there are none without rows', () => {
  expect(visibleRows(500, 400, 80, 0, 1)).toEqual({ first: 0, end: 0 });
});

it('what is dragged out of the list goes to its end', () => {
  expect([rowAt(-50, 80, 10), rowAt(85, 80, 10), rowAt(9999, 80, 10)]).toEqual([0, 1, 9]);
});
