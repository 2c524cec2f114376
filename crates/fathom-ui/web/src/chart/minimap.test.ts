import { describe, expect, it } from 'vitest';
import type { Span } from '../contract';
import { mapClicked, mapDragged, mapPressed } from './minimap';

const ALL: Span = [0, 100];
const VIEW: Span = [20, 40];

describe('a drag over the minimap', () => {
  const after = (from: number, to: number, view = VIEW) => mapDragged(mapPressed(view, ALL, from, 1), to, ALL);

  it('moves the view, as far as there is something to see', () => {
    expect(after(30, 50)).toEqual([40, 60]);
    expect(after(30, 300)).toEqual([80, 100]);
  });

  it('moves an edge, also past the other one', () => {
    expect(after(20.5, 10)).toEqual([10, 40]);
    expect(after(39.5, 90)).toEqual([20, 90]);
    expect(after(39.5, 10)).toEqual([10, 20]);
  });

  it('elsewhere selects another view', () => {
    expect(after(60, 70)).toEqual([60, 70]);
    expect(after(70, -5)).toEqual([0, 70]);
    expect(after(30, 70, ALL)).toEqual([30, 70]);
  });

  it('without moving brings the view there', () => {
    expect(mapClicked(VIEW, 70, ALL)).toEqual([60, 80]);
    expect(mapClicked(VIEW, 99, ALL)).toEqual([80, 100]);
  });
});
