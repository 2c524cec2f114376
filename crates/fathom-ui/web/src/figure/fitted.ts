// Which of a figure's two drawings fits a width, and how much larger or smaller it is shown.

import type { Drawing, DrawnFigure } from '../contract';

/** Below this many pixels the wide drawing's letters are too small to read. */
const NARROW = 600;

export function fitted(
  figure: Pick<DrawnFigure, 'wide' | 'narrow'>,
  width: number,
): { drawing: Drawing; scale: number } {
  const drawing = width < NARROW ? figure.narrow : figure.wide;
  return { drawing, scale: width > 0 ? width / drawing.width : 1 };
}
