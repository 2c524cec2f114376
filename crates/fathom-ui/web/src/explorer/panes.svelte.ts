// The layout of this window, and where it is kept.

import {
  type Layout,
  type PaneName,
  read,
  reset,
  resized,
  type RunTime,
  type SizeName,
  toggled,
  written,
} from './layout';

const KEPT_AS = 'fathom-layout';
/** Below this width everything is in one column. As in the style sheets. */
export const ONE_COLUMN = '(max-width: 1099px)';

export class Panes {
  layout = $state.raw<Layout>(read(keptText()));
  /** Whether the window is so narrow that all is in one column. */
  isOneColumn = $state(false);
  /** In one column the list of metrics lies above everything else, until a metric was chosen. */
  #showsMetrics = $state(false);

  /** Follows the width of the window until the returned function is called. */
  watch(): () => void {
    const narrow = matchMedia(ONE_COLUMN);
    const follow = () => (this.isOneColumn = narrow.matches);
    follow();
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }

  isOpen(pane: PaneName): boolean {
    if (pane === 'metrics' && this.isOneColumn) return this.#showsMetrics;
    return !this.layout.folded.includes(pane);
  }

  toggle(pane: PaneName): void {
    if (pane === 'metrics' && this.isOneColumn) this.#showsMetrics = !this.#showsMetrics;
    else this.#set(toggled(this.layout, pane));
  }

  open(pane: PaneName): void {
    if (!this.isOpen(pane)) this.toggle(pane);
  }

  /** A metric was chosen: where the list covers the page, it goes. */
  chosen(): void {
    this.#showsMetrics = false;
  }

  resize(name: SizeName, to: number): void {
    this.#set(resized(this.layout, name, to));
  }

  reset(name: SizeName): void {
    this.#set(reset(this.layout, name));
  }

  setRunTime(runTime: RunTime): void {
    this.#set({ ...this.layout, runTime });
  }

  #set(layout: Layout): void {
    this.layout = layout;
    try {
      localStorage.setItem(KEPT_AS, written(layout));
    } catch {
      // Pages from files may keep nothing; the layout then lasts as long as the page.
    }
  }
}

function keptText(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}
