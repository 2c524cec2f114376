// Names next to the curves they belong to.

import { lettersIn, shortened } from './names';

export interface DirectLabel {
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'end';
  series: 1 | 2;
}

export interface Spot {
  name: string;
  series: 1 | 2;
  /** Where the curve is. */
  x: number;
  y: number;
}

const AWAY = 7;
const LINE = 13;
/** Fewer letters than this say nothing. */
const FEWEST = 4;
const MOST = 28;

/**
 * The left one of two is named on its left, the right one on its right, so that neither name lies on
 * the other curve. A name that does not fit is shortened; without any room there is none.
 */
export function directLabels(spots: Spot[], left: number, right: number): DirectLabel[] {
  const ordered = [...spots].sort((a, b) => a.x - b.x);
  const labels = ordered.flatMap((spot, index): DirectLabel[] => {
    const onLeft = ordered.length > 1 && index === 0;
    const room = onLeft ? spot.x - AWAY - left : right - spot.x - AWAY;
    const letters = Math.min(MOST, lettersIn(room));
    if (letters < FEWEST) return [];
    const text = shortened(spot.name, letters);
    const x = onLeft ? spot.x - AWAY : spot.x + AWAY;
    return [{ text, x, y: spot.y, anchor: onLeft ? 'end' : 'start', series: spot.series }];
  });
  const [one, other] = labels;
  if (one && other && one.anchor === other.anchor && Math.abs(one.y - other.y) < LINE) {
    other.y = one.y + LINE;
  }
  return labels;
}
