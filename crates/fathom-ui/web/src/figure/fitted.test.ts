import { expect, test } from 'vitest';
import { fitted } from './fitted';

const figure = {
  wide: { width: 880, height: 300, shapes: [], marks: [] },
  narrow: { width: 340, height: 300, shapes: [], marks: [] },
};

test('phones get the drawing that was made for them', () => {
  expect(fitted(figure, 340)).toEqual({ drawing: figure.narrow, scale: 1 });
  expect(fitted(figure, 880)).toEqual({ drawing: figure.wide, scale: 1 });
  expect(fitted(figure, 690).drawing).toBe(figure.wide);
});

test('before the page is measured nothing is of no size', () => {
  expect(fitted(figure, 0).scale).toBe(1);
});
