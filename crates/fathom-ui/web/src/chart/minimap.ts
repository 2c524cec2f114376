// What a drag over the minimap makes of the view.

import type { Span } from '../contract';
import { clamped, contains, ordered, shifted, width } from './span';

export type MapDrag =
  { does: 'move-edge'; fixed: number } | { does: 'pan'; from: number; view: Span } | { does: 'select'; from: number };

/** What a press begins: `near` is how many seconds around an edge belong to it. */
export function mapPressed(view: Span, extent: Span, time: number, near: number): MapDrag {
  const isWhole = view[0] <= extent[0] && view[1] >= extent[1];
  if (!isWhole) {
    if (Math.abs(time - view[0]) <= near) return { does: 'move-edge', fixed: view[1] };
    if (Math.abs(time - view[1]) <= near) return { does: 'move-edge', fixed: view[0] };
    if (contains(view, time)) return { does: 'pan', from: time, view };
  }
  return { does: 'select', from: clamped(time, extent) };
}

/** The view when the pointer is at this time. */
export function mapDragged(drag: MapDrag, time: number, extent: Span): Span {
  switch (drag.does) {
    case 'move-edge':
      return ordered(drag.fixed, clamped(time, extent));
    case 'pan':
      return shifted(drag.view, time - drag.from, extent);
    case 'select':
      return ordered(drag.from, clamped(time, extent));
  }
}

/** A click outside the view brings it there. */
export function mapClicked(view: Span, time: number, extent: Span): Span {
  return shifted(view, time - (view[0] + width(view) / 2), extent);
}
