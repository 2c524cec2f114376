// What every chart has besides its drawing.

export interface NumberTable {
  head: string[];
  rows: () => string[][];
}

export interface Margins {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const MARGINS: Margins = { left: 54, right: 16, top: 20, bottom: 34 };

export interface LegendItem {
  mark: 'dot' | 'ring' | 'cross' | 'arrow' | 'line' | 'dashed' | 'band';
  text: string;
  /** Which of the two subjects; without one it is neither. */
  series?: 1 | 2;
  /** Of two lines in one chart the one that is dashed where there are no colours. */
  isSecond?: boolean;
}

/** Whose lines they are; a single one needs no name. */
export function namesOfLines(lines: { name: string; series: 1 | 2 }[]): LegendItem[] {
  if (lines.length < 2) return [];
  return lines.map(({ name, series }) => ({ mark: 'line', text: name, series, isSecond: series === 2 }));
}

/** The point that the arrow keys lead to, or null if the key is for others. */
export function stepTo(key: string, now: number | null, points: number): number | null {
  const far = Math.max(1, Math.round(points / 10));
  const from = now ?? -1;
  const to = {
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    PageUp: from + far,
    PageDown: from - far,
    Home: 0,
    End: points - 1,
  }[key];
  return to === undefined || points === 0 ? null : Math.min(points - 1, Math.max(0, to));
}
