// The columns of the ranked list, for a width.

/** From here on a row is one line. */
const WIDE = 900;

export interface Columns {
  /** Whether words are next to the name, not below it. */
  wide: boolean;
  rowHeight: number;
  /** For `grid-template-columns`. */
  template: string;
}

export function columns(width: number, beside: number): Columns {
  const wide = width >= WIDE;
  const ranks = beside > 0 ? ` repeat(${beside}, 46px)` : '';
  const picture = wide ? 'minmax(110px, 0.5fr)' : 'minmax(64px, 96px)';
  const words = wide ? 'minmax(150px, 0.8fr) 34px minmax(200px, 1.3fr)' : 'minmax(120px, 1fr)';
  return {
    wide,
    rowHeight: wide ? 28 : 44,
    template: `28px ${words} ${picture} 12px 54px 38px${ranks} 22px 68px`,
  };
}
