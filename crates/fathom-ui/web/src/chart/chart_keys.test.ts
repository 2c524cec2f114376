import { describe, expect, it } from 'vitest';
import { actionFor, navigationFor, type Situation } from './chart_keys';

const now: Situation = {
  mode: 'window',
  windows: [[10, 20]],
  extent: [0, 100],
  view: [0, 100],
  here: 50,
  anchor: null,
};
const press = (key: string, shiftKey = false, ctrlKey = false) => ({ key, shiftKey, ctrlKey });

describe('keys in a chart', () => {
  it('move the cursor, not out of the data', () => {
    expect(actionFor(press('ArrowRight'), now)).toEqual({ does: 'cursor', time: 51 });
    expect(actionFor(press('ArrowRight', false, true), now)).toEqual({ does: 'cursor', time: 60 });
    expect(actionFor(press('ArrowLeft'), { ...now, here: 0.5 })).toEqual({ does: 'cursor', time: 0 });
  });

  it('zoom about the cursor and pan', () => {
    const zoom = actionFor(press('+'), now);
    expect(zoom).toEqual({ does: 'zoom', zoom: [15, 85] });
    expect(navigationFor(press('0'), now)).toEqual({ does: 'zoom', zoom: null });
    const view = { ...now, view: [40, 60] as [number, number] };
    expect(navigationFor(press('PageDown'), view)).toEqual({ does: 'zoom', zoom: [50, 70] });
  });

  it('grow a window from where they began, also back over it', () => {
    const first = actionFor(press('ArrowRight', true), now);
    expect(first).toEqual({
      does: 'grow-windows',
      windows: [
        [10, 20],
        [50, 51],
      ],
      anchor: 50,
      time: 51,
    });
    const back = actionFor(press('ArrowLeft', true), {
      ...now,
      windows: [
        [10, 20],
        [50, 51],
      ],
      here: 51,
      anchor: 50,
    });
    expect(back).toEqual({ does: 'grow-windows', windows: [[10, 20]], anchor: 50, time: 50 });
  });

  it('make windows with few digits', () => {
    expect(actionFor(press('ArrowRight', true), { ...now, here: 50.123456789 })).toMatchObject({
      windows: [
        [10, 20],
        [50.1, 51.1],
      ],
    });
  });

  it('grow a baseline when that is drawn', () => {
    expect(actionFor(press('ArrowLeft', true), { ...now, mode: 'baseline' })).toEqual({
      does: 'grow-baseline',
      baseline: [49, 50],
      anchor: 50,
      time: 49,
    });
  });

  it('remove what is at the cursor', () => {
    expect(actionFor(press('Delete'), now)).toBeNull();
    expect(actionFor(press('Delete'), { ...now, here: 15 })).toEqual({ does: 'remove-windows', windows: [] });
    expect(actionFor(press('Delete'), { ...now, mode: 'baseline' })).toEqual({ does: 'remove-baseline' });
  });

  it('set knots only when a pattern is drawn', () => {
    expect(actionFor(press('Enter'), now)).toBeNull();
    expect(actionFor(press('Enter'), { ...now, mode: 'pattern' })).toEqual({ does: 'add-knot', time: 50 });
  });

  it('leave the others to the page', () => {
    for (const key of ['j', 'k', 'y', 'w', 'z', '/', '?', '[', 'Escape']) {
      expect(actionFor(press(key), now)).toBeNull();
    }
  });
});
