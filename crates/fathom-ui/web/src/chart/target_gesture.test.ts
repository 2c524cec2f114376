import { beforeEach, describe, expect, it } from 'vitest';
import type { Span, Suggestion } from '../contract';
import type { Draft } from './drag';
import type { Frame } from './frame';
import type { Mode, Scene } from './grip';
import { keyStep, steppedKnot, TargetGesture } from './target_gesture';

// A pixel is a tenth of a second, and a hundredth of the height.
const frame: Frame = { left: 0, top: 0, width: 1000, height: 100, view: [0, 100], reach: [0, 1] };
const suggestion: Suggestion = { kind: 'level', about: 'low', windows: [[60, 70]] };

let scene: Scene;
let mode: Mode;
let shown: Frame;
let magnets: number[];
let drafts: (Draft | null)[];
let done: Draft[];
let taken: Suggestion[];
let views: Span[];
let gesture: TargetGesture;

beforeEach(() => {
  scene = {
    windows: [
      [10, 20],
      [30, 40],
    ],
    baseline: null,
    knots: [],
    suggestions: [suggestion],
  };
  [mode, shown, drafts, done, taken, views] = ['window', frame, [], [], [], []];
  magnets = [];
  gesture = new TargetGesture(() => ({ frame: shown, scene, mode, extent: [0, 100], magnets }), {
    draft: (one) => drafts.push(one),
    done: (one) => done.push(one),
    suggestion: (one) => taken.push(one),
    view: (one) => views.push(one),
  });
});

/** From one moment to another, at heights that are shares of the whole. */
function drag(from: number, to: number, { adds = false, pans = false, heights = [0.5, 0.5] } = {}): void {
  const top = (height: number | undefined) => (1 - (height ?? 0)) * 100;
  gesture.press({ pointer: 1, left: from * 10, top: top(heights[0]), adds, pans });
  gesture.move(1, (from + to) * 5, top(heights[1]));
  gesture.move(1, to * 10, top(heights[1]));
  gesture.release(1);
}

describe('a drag over nothing', () => {
  it('is a window in place of all others', () => {
    drag(50, 55);
    expect(done).toEqual([{ of: 'windows', windows: [[50, 55]] }]);
    expect(drafts).toHaveLength(2);
  });

  it('goes both ways, and stays in the data', () => {
    drag(5, -20);
    expect(done).toEqual([{ of: 'windows', windows: [[0, 5]] }]);
  });

  it('adds with Shift, and joins what it meets', () => {
    drag(50, 55, { adds: true });
    drag(25, 35, { adds: true });
    expect(done).toEqual([
      {
        of: 'windows',
        windows: [
          [10, 20],
          [30, 40],
          [50, 55],
        ],
      },
      {
        of: 'windows',
        windows: [
          [10, 20],
          [25, 40],
        ],
      },
    ]);
  });

  it('that is only a click does nothing', () => {
    drag(50, 50.2);
    expect([drafts, done]).toEqual([[], []]);
  });
});

describe('a drag of a window', () => {
  it('moves it whole, as far as there is data', () => {
    drag(15, 17);
    drag(35, 300);
    expect(done[0]).toEqual({
      of: 'windows',
      windows: [
        [12, 22],
        [30, 40],
      ],
    });
    expect(done[1]).toEqual({
      of: 'windows',
      windows: [
        [10, 20],
        [90, 100],
      ],
    });
  });

  it('moves an edge, also past the other', () => {
    drag(20, 25);
    drag(20, 5);
    expect(done[0]).toEqual({
      of: 'windows',
      windows: [
        [10, 25],
        [30, 40],
      ],
    });
    expect(done[1]).toEqual({
      of: 'windows',
      windows: [
        [5, 10],
        [30, 40],
      ],
    });
  });

  it('onto another makes them one, and off it again leaves two', () => {
    gesture.press({ pointer: 1, left: 150, top: 50, adds: false, pans: false });
    gesture.move(1, 300, 50);
    gesture.move(1, 200, 50);
    expect(drafts).toEqual([
      { of: 'windows', windows: [[25, 40]] },
      {
        of: 'windows',
        windows: [
          [15, 25],
          [30, 40],
        ],
      },
    ]);
  });

  it('can be called off', () => {
    gesture.press({ pointer: 1, left: 150, top: 50, adds: false, pans: false });
    gesture.move(1, 300, 50);
    gesture.cancel();
    gesture.release(1);
    expect(drafts.at(-1)).toBeNull();
    expect(done).toEqual([]);
    expect(gesture.isBusy).toBe(false);
  });
});

describe('a suggestion', () => {
  it('is taken by a click', () => {
    drag(65, 65);
    expect(taken).toEqual([suggestion]);
    expect(done).toEqual([]);
  });

  it('does not stop a drag', () => {
    drag(62, 75);
    expect(taken).toEqual([]);
    expect(done).toEqual([{ of: 'windows', windows: [[62, 75]] }]);
  });
});

describe('a baseline', () => {
  beforeEach(() => (mode = 'baseline'));

  it('is drawn where windows are too', () => {
    drag(15, 35);
    expect(done).toEqual([{ of: 'baseline', baseline: [15, 35] }]);
  });

  it('is changed at its edges', () => {
    scene = { ...scene, baseline: [2, 8] };
    drag(8, 9);
    expect(done).toEqual([{ of: 'baseline', baseline: [2, 9] }]);
  });
});

describe('a pattern', () => {
  beforeEach(() => (mode = 'pattern'));

  it('gets a knot by a click, where it was pressed', () => {
    drag(15, 15, { heights: [0.25, 0.25] });
    expect(done).toEqual([{ of: 'pattern', knots: [[15, 0.25]] }]);
  });

  it('gets a knot that is dragged into place at once', () => {
    scene = { ...scene, knots: [[50, 0.5]] };
    drag(15, 18, { heights: [0.25, 0.75] });
    expect(done).toEqual([
      {
        of: 'pattern',
        knots: [
          [18, 0.75],
          [50, 0.5],
        ],
      },
    ]);
  });

  it('moves a knot, not out of sight and not past another', () => {
    scene = {
      ...scene,
      knots: [
        [15, 0.5],
        [50, 0.5],
      ],
    };
    drag(15, 70, { heights: [0.5, 1.5] });
    expect(done).toEqual([
      {
        of: 'pattern',
        knots: [
          [49.8, 1],
          [50, 0.5],
        ],
      },
    ]);
  });

  it('is not changed by a click on a knot', () => {
    scene = { ...scene, knots: [[15, 0.5]] };
    drag(15, 15);
    expect(done).toEqual([]);
  });
});

describe('the view', () => {
  it('follows the hand, whatever has become of it meanwhile', () => {
    shown = { ...frame, view: [40, 60] };
    gesture.press({ pointer: 1, left: 500, top: 50, adds: false, pans: true });
    expect(gesture.isPanning).toBe(true);
    gesture.move(1, 400, 50);
    shown = { ...frame, view: [42, 62] };
    gesture.move(1, 300, 50);
    gesture.release(1);
    expect(views).toEqual([
      [42, 62],
      [44, 64],
    ]);
    expect(done).toEqual([]);
  });

  it('follows two fingers, and what one began is undone', () => {
    shown = { ...frame, view: [40, 60] };
    gesture.press({ pointer: 1, left: 250, top: 50, adds: false, pans: false });
    gesture.move(1, 300, 50);
    gesture.press({ pointer: 2, left: 700, top: 50, adds: false, pans: false });
    gesture.move(2, 900, 50);
    gesture.release(1);
    gesture.release(2);
    expect(drafts.at(-1)).toBeNull();
    expect(done).toEqual([]);
    const view = views.at(-1) ?? [0, 0];
    expect(view[1] - view[0]).toBeCloseTo((20 * 400) / 600);
  });
});

describe('keys', () => {
  it('move a knot by a pixel, or ten', () => {
    expect(steppedKnot([5, 0.5], 'ArrowLeft', keyStep(frame, false))).toEqual([4.9, 0.5]);
    expect(steppedKnot([5, 0.5], 'ArrowUp', keyStep(frame, true))).toEqual([5, 0.6]);
    expect(steppedKnot([5, 0.5], 'x', keyStep(frame, false))).toBeNull();
  });
});

describe('the edges of a window', () => {
  beforeEach(() => {
    magnets = [60, 70];
    scene.suggestions = [];
  });

  it('snap to a suggested anomaly that is near', () => {
    drag(59.4, 70.6);
    expect(done).toEqual([{ of: 'windows', windows: [[60, 70]] }]);
  });

  it('stay where they are drawn if none is near', () => {
    drag(58, 72);
    expect(done).toEqual([{ of: 'windows', windows: [[58, 72]] }]);
  });

  it('snap when they are moved, but a window that is moved does not', () => {
    drag(40, 59.5);
    drag(15, 64.8);
    expect(done[0]).toEqual({
      of: 'windows',
      windows: [
        [10, 20],
        [30, 60],
      ],
    });
    expect(done[1]).toMatchObject({
      of: 'windows',
      windows: [
        [30, 40],
        [59.8, 69.8],
      ],
    });
  });
});
