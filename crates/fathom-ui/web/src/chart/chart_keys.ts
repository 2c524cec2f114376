// What keys do in the charts.

import type { Span } from '../contract';
import { grown } from './drag';
import { rounded } from './frame';
import type { Mode } from './grip';
import { clamped, contains, ordered } from './span';
import { asZoom, panned, zoomed } from './zoom';

export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
}

export interface Situation {
  mode: Mode;
  windows: Span[];
  extent: Span;
  view: Span;
  /** Where the cursor is, or the middle. */
  here: number;
  /** Where a stretch that grows by keys began. */
  anchor: number | null;
}

export type Navigation = { does: 'cursor'; time: number } | { does: 'zoom'; zoom: Span | null };

export type Action =
  | Navigation
  | { does: 'grow-windows'; windows: Span[]; anchor: number; time: number }
  | { does: 'grow-baseline'; baseline: Span; anchor: number; time: number }
  | { does: 'remove-windows'; windows: Span[] }
  | { does: 'remove-baseline' }
  | { does: 'add-knot'; time: number };

/** How much closer a key zooms. */
const CLOSER = 0.7;

/** What keys do in every chart: move the cursor, zoom and pan. null: this one does not. */
export function navigationFor(
  { key, ctrlKey }: Pressed,
  { extent, view, here }: Pick<Situation, 'extent' | 'view' | 'here'>,
): Navigation | null {
  const wide = view[1] - view[0];
  const step = wide * (ctrlKey ? 0.1 : 0.01);
  const cursor = (time: number): Navigation => ({ does: 'cursor', time: tidy(time, view, extent) });
  const zoom = (to: Span): Navigation => ({ does: 'zoom', zoom: asZoom(to, extent) });
  switch (key) {
    case 'ArrowLeft':
      return cursor(here - step);
    case 'ArrowRight':
      return cursor(here + step);
    case 'Home':
      return cursor(extent[0]);
    case 'End':
      return cursor(extent[1]);
    case 'PageUp':
      return zoom(panned(view, -wide / 2, extent));
    case 'PageDown':
      return zoom(panned(view, wide / 2, extent));
    case '+':
    case '=':
      return zoom(zoomed(view, here, CLOSER, extent));
    case '-':
      return zoom(zoomed(view, here, 1 / CLOSER, extent));
    case '0':
      return { does: 'zoom', zoom: null };
    default:
      return null;
  }
}

/** What keys do in the target's chart. null: nothing. */
export function actionFor(pressed: Pressed, now: Situation): Action | null {
  const { mode, windows, here } = now;
  const navigation = navigationFor(pressed, now);
  if (navigation) {
    const grows = navigation.does === 'cursor' && pressed.shiftKey && mode !== 'pattern';
    return grows ? grow(now, navigation.time) : navigation;
  }
  switch (pressed.key) {
    case 'Enter':
      return mode === 'pattern' ? { does: 'add-knot', time: here } : null;
    case 'Delete':
    case 'Backspace': {
      if (mode === 'baseline') return { does: 'remove-baseline' };
      const rest = windows.filter((window) => !contains(window, here));
      const hit = mode === 'window' && rest.length < windows.length;
      return hit ? { does: 'remove-windows', windows: rest } : null;
    }
    default:
      return null;
  }
}

/** With digits that can be told apart on a screen. */
function tidy(time: number, view: Span, extent: Span): number {
  return clamped(rounded(time, (view[1] - view[0]) / 1000), extent);
}

function grow({ mode, windows, extent, view, here, anchor }: Situation, time: number): Action {
  const from = anchor ?? tidy(here, view, extent);
  if (mode === 'baseline') {
    return { does: 'grow-baseline', baseline: ordered(from, time), anchor: from, time };
  }
  return { does: 'grow-windows', windows: grown(windows, from, time), anchor: from, time };
}
