// Lines with gaps as SVG paths.

import { stretches } from './drawn';

/** Through all points that have a height; a point alone is a dot. */
export function linePath(
  values: readonly (number | null)[],
  left: (place: number) => number,
  top: (value: number) => number,
): string {
  return stretches(values)
    .map(([first, last]) => {
      if (first === last) return `M${place(left(first))} ${place(top(values[first] ?? 0))}h0.01`;
      let path = '';
      for (let n = first; n <= last; n += 1) {
        path += `${n === first ? 'M' : 'L'}${place(left(n))} ${place(top(values[n] ?? 0))}`;
      }
      return path;
    })
    .join('');
}

/** A line over the whole of a small picture, from its lowest to its highest value. */
export function outlinePath(values: readonly (number | null)[], width: number, height: number): string {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const step = width / Math.max(1, values.length - 1);
  const top = (value: number) => (high > low ? ((high - value) / (high - low)) * height : height / 2);
  return linePath(values, (n) => n * step, top);
}

/** A tenth of a pixel is enough. */
function place(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}
