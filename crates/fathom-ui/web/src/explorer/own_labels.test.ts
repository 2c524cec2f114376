import { describe, expect, it } from 'vitest';
import type { Label, Labels, Span } from '../contract';
import { marked, markings, overlap, ownLabels } from './own_labels';

const NONE: Labels = { labels: {}, of_windows: [], saved_in: null, note: null };
const view = (windows: Span[], more: { target?: string; run?: string; whole?: boolean } = {}) => ({
  target: 'ipc',
  run: 'run-1',
  windows,
  whole: false,
  ...more,
});

function labelled(labels: Labels, at: ReturnType<typeof view>, metric: string, label: Label | null): Labels {
  return markings(labels, at, metric, label).reduce(marked, labels);
}

describe('labels', () => {
  it('belong to target, run and window', () => {
    const labels = labelled(NONE, view([[10, 20]]), 'gc', 'yes');
    expect(ownLabels(labels, view([[10, 20]]))).toEqual({ gc: 'yes' });
    expect(ownLabels(labels, view([[40, 50]]))).toEqual({});
    expect(ownLabels(labels, view([[10, 20]], { target: 'cpu' }))).toEqual({});
    expect(ownLabels(labels, view([[10, 20]], { run: 'run-2' }))).toEqual({});
    expect(ownLabels(labels, view([], { whole: true }))).toEqual({});
    const both = labelled(labels, view([[40, 50]]), 'gc', 'no');
    expect(ownLabels(both, view([[10, 20]]))).toEqual({ gc: 'yes' });
    expect(ownLabels(both, view([[40, 50]]))).toEqual({ gc: 'no' });
  });

  it('stay when a window is moved a little', () => {
    const labels = labelled(NONE, view([[10, 20]]), 'gc', 'yes');
    const moved = view([[11, 21]]);
    expect(ownLabels(labels, moved)).toEqual({ gc: 'yes' });
    const more = labelled(labels, moved, 'net', 'no');
    expect(more.of_windows).toHaveLength(1);
    expect(ownLabels(more, view([[10, 20]]))).toEqual({ gc: 'yes', net: 'no' });
    expect(labelled(more, moved, 'gc', null).of_windows[0]?.labels).toEqual({ net: 'no' });
    expect(labelled(labels, moved, 'gc', null).of_windows).toEqual([]);
  });

  it('of earlier versions hold for all windows until they are taken away', () => {
    const old: Labels = { ...NONE, labels: { ipc: { gc: 'maybe' } } };
    expect(ownLabels(old, view([[1, 2]]))).toEqual({ gc: 'maybe' });
    const other = labelled(old, view([[1, 2]]), 'gc', 'no');
    expect(ownLabels(other, view([[1, 2]]))).toEqual({ gc: 'no' });
    expect(ownLabels(other, view([[8, 9]]))).toEqual({ gc: 'maybe' });
    expect(ownLabels(labelled(old, view([[1, 2]]), 'gc', null), view([[1, 2]]))).toEqual({});
  });

  it('of the whole target are its own', () => {
    const whole = view([], { whole: true });
    const labels = labelled(NONE, whole, 'gc', 'yes');
    expect(ownLabels(labels, whole)).toEqual({ gc: 'yes' });
    expect(ownLabels(labels, view([[1, 2]]))).toEqual({});
  });

  it('have names that are those of nothing else', () => {
    const at = view([[1, 2]], { target: '__proto__' });
    const labels = labelled(NONE, at, '__proto__', 'no');
    expect(Object.hasOwn(ownLabels(labels, at), '__proto__')).toBe(true);
  });
});

describe('overlap', () => {
  it('is the share of both in either', () => {
    expect(overlap([[0, 10]], [[5, 15]])).toBeCloseTo(1 / 3);
    expect(
      overlap(
        [
          [0, 10],
          [20, 30],
        ],
        [
          [0, 10],
          [20, 30],
        ],
      ),
    ).toBe(1);
    expect(overlap([[0, 1]], [[2, 3]])).toBe(0);
    expect(overlap([], [])).toBe(1);
    expect(overlap([], [[0, 1]])).toBe(0);
  });
});
