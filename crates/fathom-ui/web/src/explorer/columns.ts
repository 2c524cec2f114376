// The columns of the ranked list, for a width.

/** From here on a row is one line. */
const WIDE = 900;
/** Below this there is room for what cannot be read elsewhere: the words of a row tell its sign and its lag. */
const COMPACT = 450;

export interface Columns {
  /** Whether words are next to the name, not below it. */
  wide: boolean;
  /** Whether there is no room for the outline, the sign and the lag. */
  compact: boolean;
  rowHeight: number;
  /** For `grid-template-columns`. */
  template: string;
}

export function columns(width: number, beside: number): Columns {
  const wide = width >= WIDE;
  const compact = width < COMPACT;
  const ranks = beside > 0 ? ` repeat(${beside}, 46px)` : '';
  const picture = wide ? 'minmax(110px, 0.5fr)' : 'minmax(64px, 96px)';
  const words = wide
    ? 'minmax(150px, 0.8fr) 34px minmax(200px, 1.3fr)'
    : compact
      ? 'minmax(80px, 1fr)'
      : 'minmax(120px, 1fr)';
  const details = compact ? '' : ` ${picture} 12px 54px`;
  return {
    wide,
    compact,
    rowHeight: wide ? 28 : 44,
    template: `${compact ? 20 : 28}px ${words}${details} 38px${ranks} 22px 68px`,
  };
}
