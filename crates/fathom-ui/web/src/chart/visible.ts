// Which rows of a long list of equal heights are near the part in sight.

export interface Rows {
  first: number;
  /** One past the last. */
  end: number;
}

/** With `spare` more on both sides, so that a scroll finds them there. */
export function visibleRows(scrolled: number, height: number, rowHeight: number, count: number, spare: number): Rows {
  const first = Math.floor(scrolled / rowHeight) - spare;
  const end = Math.ceil((scrolled + height) / rowHeight) + spare;
  const clip = (row: number) => Math.min(Math.max(row, 0), count);
  return { first: clip(first), end: clip(end) };
}

/** The row under a height, for something that is dragged there. */
export function rowAt(top: number, rowHeight: number, count: number): number {
  return Math.min(Math.max(Math.floor(top / rowHeight), 0), Math.max(0, count - 1));
}
