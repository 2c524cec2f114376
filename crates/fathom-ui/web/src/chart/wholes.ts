// Coarse pictures of whole metrics, kept so that a pane that scrolls back into sight has one at once.

import type { Series } from '../contract';
import type { SeriesQuery } from '../data/source';
import type { Load } from './load';

/** About 15 MB of points. */
const MOST = 400;

export class Wholes {
  readonly #kept = new Map<string, Promise<Series>>();

  of(load: Load, { metric, run, columns }: SeriesQuery): Promise<Series> {
    const key = JSON.stringify([metric, run, columns]);
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const asked = load({ metric, run, columns });
    this.#kept.set(key, asked);
    // What failed may go well when it is asked again.
    asked.catch(() => this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST && oldest !== undefined) this.#kept.delete(oldest);
    return asked;
  }
}
