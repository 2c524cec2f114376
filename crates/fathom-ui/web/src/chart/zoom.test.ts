import { describe, expect, it } from 'vitest';
import type { Span } from '../contract';
import { asZoom, panned, pinched, wheelFactor, zoomed } from './zoom';

const all: Span = [0, 100];

describe('a zoom', () => {
  it('leaves the moment under the pointer where it is', () => {
    const view = zoomed([20, 60], 30, 0.5, all);
    expect(view[1] - view[0]).toBeCloseTo(20);
    expect((30 - view[0]) / 20).toBeCloseTo((30 - 20) / 40);
  });

  it('does not leave the data', () => {
    expect(zoomed([0, 50], 10, 10, all)).toEqual([0, 100]);
    expect(zoomed([90, 100], 100, 2, all)).toEqual([80, 100]);
  });

  it('ends before numbers do', () => {
    let view: Span = all;
    for (let n = 0; n < 500; n += 1) view = zoomed(view, 33, 0.5, all);
    expect(view[1]).toBeGreaterThan(view[0]);
    expect(view[1] - view[0]).toBeCloseTo(1e-4, 6);
  });

  it('is none when all is seen', () => {
    expect(asZoom([0, 100], all)).toBeNull();
    expect(asZoom([1e-12, 100], all)).toBeNull();
    expect(asZoom([0, 99], all)).toEqual([0, 99]);
  });

  it('is told in few digits, however close', () => {
    expect(asZoom([13.076288677486417, 53.4], all)).toEqual([13.076, 53.4]);
    expect(asZoom([13.0762886, 13.0762986], all)).toEqual([13.0762886, 13.0762986]);
    expect(asZoom([0, 99.99999], all)).toBeNull();
  });

  it('follows two fingers', () => {
    const view = pinched([20, 60], [0.25, 0.75], [0, 1], all);
    expect(view[0]).toBeCloseTo(30);
    expect(view[1]).toBeCloseTo(50);
    expect(pinched([20, 60], [0.25, 0.75], [0.5, 0.5], all)).toEqual([20, 60]);
  });
});

describe('a pan', () => {
  it('stops at the ends', () => {
    expect(panned([20, 30], 5, all)).toEqual([25, 35]);
    expect(panned([20, 30], 500, all)).toEqual([90, 100]);
  });
});

describe('a wheel', () => {
  it('zooms in when turned away, and by no more than a notch', () => {
    expect(wheelFactor(-100, 0, false)).toBeLessThan(1);
    expect(wheelFactor(100, 0, false) * wheelFactor(-100, 0, false)).toBeCloseTo(1);
    expect(wheelFactor(1e6, 0, false)).toBe(wheelFactor(200, 0, false));
    expect(wheelFactor(3, 1, false)).toBe(wheelFactor(48, 0, false));
  });
});
