// The pointer over the target's chart, from press to release. It knows nothing of the page: places are
// in pixels of the chart's frame, and what comes of a gesture is told.

import type { Knot, Span, Suggestion } from '../contract';
import { begun, dragged, type Drag, type Draft, type Limits, type Spot } from './drag';
import { secondsPerPixel, timeAt, valueAt, valuePerPixel, type Frame } from './frame';
import { gripAt, type Grip, type Mode, type Scene } from './grip';
import { panned, pinched } from './zoom';

/** A press that moves less than this is a click. */
const CLICK = 4;
/** Two knots stay this many pixels apart. */
const KNOTS_APART = 2;
/** From this many pixels away the edge of a window snaps. */
const SNAP = 8;

/** What is on show when somebody presses. */
export interface Stage {
  frame: Frame;
  scene: Scene;
  mode: Mode;
  extent: Span;
  /** Times that edges of windows snap to. */
  magnets: readonly number[];
}

export interface Told {
  /** Something is being changed; null: no longer, and it is as it was. */
  draft: (draft: Draft | null) => void;
  done: (draft: Draft) => void;
  suggestion: (suggestion: Suggestion) => void;
  view: (view: Span) => void;
}

export interface Press {
  pointer: number;
  left: number;
  top: number;
  /** Beside the other windows rather than in their place. */
  adds: boolean;
  pans: boolean;
}

interface Place {
  left: number;
  top: number;
}

type Doing =
  | { what: 'drag'; drag: Drag; grip: Grip; from: Place; stage: Stage; draft: Draft | null }
  | { what: 'pan'; from: number; stage: Stage }
  | { what: 'pinch'; from: Span; stage: Stage };

export class TargetGesture {
  readonly #stage: () => Stage;
  readonly #told: Told;
  readonly #fingers = new Map<number, Place>();
  #doing: Doing | null = null;

  constructor(stage: () => Stage, told: Told) {
    this.#stage = stage;
    this.#told = told;
  }

  get isBusy(): boolean {
    return this.#doing !== null;
  }

  get isPanning(): boolean {
    return this.#doing?.what === 'pan';
  }

  press({ pointer, left, top, adds, pans }: Press): void {
    this.#fingers.set(pointer, { left, top });
    if (this.#fingers.size > 1) {
      this.#pinch();
      return;
    }
    const stage = this.#stage();
    if (pans) {
      this.#doing = { what: 'pan', from: left, stage };
      return;
    }
    const grip = gripAt(stage.scene, stage.frame, left, top, stage.mode);
    const drag = begun(
      grip,
      stage.mode,
      spot(stage, left, top),
      stage.scene,
      adds,
      limits(stage.frame, stage.extent, stage.magnets),
    );
    this.#doing = { what: 'drag', drag, grip, from: { left, top }, stage, draft: null };
    // A new knot is there at once.
    if (grip.on === 'nothing' && stage.mode === 'pattern') this.#go(left, top);
  }

  move(pointer: number, left: number, top: number): void {
    if (!this.#fingers.has(pointer)) return;
    this.#fingers.set(pointer, { left, top });
    const doing = this.#doing;
    if (doing?.what === 'pan') {
      const by = (doing.from - left) * secondsPerPixel(doing.stage.frame);
      this.#told.view(panned(doing.stage.frame.view, by, doing.stage.extent));
    } else if (doing?.what === 'pinch') {
      const { frame, extent } = doing.stage;
      this.#told.view(pinched(frame.view, doing.from, this.#shares(frame), extent));
    } else if (doing?.what === 'drag') {
      const far = Math.hypot(left - doing.from.left, top - doing.from.top) >= CLICK;
      if (far || doing.draft) this.#go(left, top);
    }
  }

  release(pointer: number): void {
    if (!this.#fingers.delete(pointer)) return;
    const doing = this.#doing;
    this.#doing = null;
    if (doing?.what !== 'drag') return;
    if (doing.draft) this.#told.done(doing.draft);
    else if (doing.grip.on === 'suggestion') this.#told.suggestion(doing.grip.suggestion);
  }

  /** Leaves everything as it was. */
  cancel(): void {
    const doing = this.#doing;
    this.#doing = null;
    this.#fingers.clear();
    if (doing?.what === 'drag' && doing.draft) this.#told.draft(null);
  }

  #go(left: number, top: number): void {
    const doing = this.#doing;
    if (doing?.what !== 'drag') return;
    doing.draft = dragged(
      doing.drag,
      spot(doing.stage, left, top),
      limits(doing.stage.frame, doing.stage.extent, doing.stage.magnets),
    );
    this.#told.draft(doing.draft);
  }

  /** A second finger: what the first one began was not meant. */
  #pinch(): void {
    const fingers = new Map(this.#fingers);
    this.cancel();
    for (const [pointer, place] of fingers) this.#fingers.set(pointer, place);
    const stage = this.#stage();
    this.#doing = { what: 'pinch', from: this.#shares(stage.frame), stage };
  }

  /** Where the first two fingers are, as shares of the width. */
  #shares(frame: Frame): Span {
    const [first, second] = [...this.#fingers.values()].map(({ left }) => (left - frame.left) / frame.width);
    return [first ?? 0, second ?? 1];
  }
}

/** What bounds a change. */
export function limits(frame: Frame, extent: Span, magnets: readonly number[] = []): Limits {
  const grain = { time: secondsPerPixel(frame), value: valuePerPixel(frame) };
  return { extent, reach: frame.reach, apart: grain.time * KNOTS_APART, grain, magnets, pull: grain.time * SNAP };
}

/** The value and the time by which keys move things: a pixel, or ten. */
export function keyStep(frame: Frame, isLarge: boolean): Spot {
  const pixels = isLarge ? 10 : 1;
  return { time: secondsPerPixel(frame) * pixels, value: valuePerPixel(frame) * pixels };
}

/** A knot moved by an arrow key; null for other keys. */
export function steppedKnot(knot: Knot, key: string, step: Spot): Knot | null {
  switch (key) {
    case 'ArrowLeft':
      return [knot[0] - step.time, knot[1]];
    case 'ArrowRight':
      return [knot[0] + step.time, knot[1]];
    case 'ArrowUp':
      return [knot[0], knot[1] + step.value];
    case 'ArrowDown':
      return [knot[0], knot[1] - step.value];
    default:
      return null;
  }
}

function spot({ frame }: Stage, left: number, top: number): Spot {
  return { time: timeAt(frame, left), value: valueAt(frame, top) };
}
