import { describe, expect, it } from 'vitest';
import type { Frame } from './frame';
import { cursorFor, gripAt, type Mode, type Scene } from './grip';

// A pixel is a tenth of a second, and a hundredth of the height.
const frame: Frame = { left: 60, top: 10, width: 1000, height: 100, view: [0, 100], reach: [0, 1] };
const at = (time: number) => 60 + time * 10;
const wide = { kind: 'level', about: 'wide', windows: [[40, 80]] as [number, number][] };
const narrow = { kind: 'dip', about: 'narrow', windows: [[50, 55]] as [number, number][] };
const scene: Scene = {
  windows: [
    [10, 20],
    [30, 30.4],
  ],
  baseline: [1, 5],
  knots: [[15, 0.5]],
  suggestions: [wide, narrow],
};
const grip = (time: number, top: number, mode: Mode = 'window') => gripAt(scene, frame, at(time), top, mode);

describe('what is under the pointer', () => {
  it('is a knot before all else, in every mode', () => {
    for (const mode of ['window', 'baseline', 'pattern'] as const) {
      expect(grip(15.5, 64, mode)).toEqual({ on: 'knot', place: 0 });
    }
    expect(grip(15, 90)).toEqual({ on: 'window', place: 0 });
  });

  it('is an edge near an edge, inside and outside', () => {
    expect(grip(9.6, 90)).toEqual({ on: 'edge', place: 0, side: 0 });
    expect(grip(10.4, 90)).toEqual({ on: 'edge', place: 0, side: 0 });
    expect(grip(20.4, 90)).toEqual({ on: 'edge', place: 0, side: 1 });
    expect(grip(9, 90)).toEqual({ on: 'nothing' });
  });

  it('leaves a narrow window a middle', () => {
    expect(grip(30.2, 90)).toEqual({ on: 'window', place: 1 });
    expect(grip(30, 90)).toEqual({ on: 'edge', place: 1, side: 0 });
    expect(grip(30.4, 90)).toEqual({ on: 'edge', place: 1, side: 1 });
  });

  it('is the narrower of two suggestions', () => {
    expect(grip(45, 90)).toEqual({ on: 'suggestion', suggestion: wide });
    expect(grip(52, 90)).toEqual({ on: 'suggestion', suggestion: narrow });
  });

  it('is a window rather than a suggestion', () => {
    const both: Scene = { ...scene, windows: [[42, 48]] };
    expect(gripAt(both, frame, at(45), 90, 'window').on).toBe('window');
  });

  it('is the baseline only when that is drawn', () => {
    expect(grip(5.2, 90, 'baseline')).toEqual({ on: 'baseline-edge', side: 1 });
    expect(grip(5.2, 90)).toEqual({ on: 'nothing' });
    expect(grip(15, 90, 'baseline')).toEqual({ on: 'nothing' });
  });

  it('has no edge where it is out of view', () => {
    const zoomed: Frame = { ...frame, view: [50, 60] };
    expect(gripAt({ ...scene, suggestions: [] }, zoomed, 61, 90, 'window')).toEqual({ on: 'nothing' });
  });

  it('is shown by the pointer', () => {
    expect(cursorFor({ on: 'nothing' }, 'window')).toBe('crosshair');
    expect(cursorFor({ on: 'nothing' }, 'pattern')).toBe('copy');
    expect(cursorFor({ on: 'edge', place: 0, side: 0 }, 'window')).toBe('ew-resize');
  });
});
