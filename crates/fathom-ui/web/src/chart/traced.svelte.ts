// A metric to draw: all of it at first, and the part in view in finer detail once a zoom has come to rest.

import type { Series, Span } from '../contract';
import { suffices, spliced, wanted, type Loaded } from './detail';
import { drawn, type Drawn } from './drawn';
import type { Load } from './load';
import type { Wholes } from './wholes';

const EMPTY: Drawn = { time: [], values: [], low: null, high: null };
/** Zooming is a stream of views: the last one is asked for. */
const PATIENCE_MS = 120;

export interface Wanted {
  metric: string;
  run: string;
  columns: number;
  /** What is in view, in the run's own time. */
  view: Span;
  load: Load;
  wholes: Wholes;
}

export class Traced {
  whole = $state.raw<Series | null>(null);
  /** Why it could not be loaded. */
  failure = $state<string | null>(null);
  #part = $state.raw<{ series: Series; loaded: Loaded } | null>(null);
  /** In the run's own time. */
  line: Drawn = $derived.by(() => {
    if (!this.whole) return EMPTY;
    return spliced(drawn(this.whole), this.#part ? drawn(this.#part.series) : null);
  });

  /** For a component that is being made: it loads as long as that is shown. */
  constructor(wants: () => Wanted) {
    $effect(() => this.#loadWhole(wants()));
    $effect(() => this.#loadPart(wants()));
  }

  #loadWhole({ wholes, load, metric, run, columns }: Wanted): () => void {
    let isCurrent = true;
    wholes.of(load, { metric, run, columns }).then(
      (series) => {
        if (!isCurrent) return;
        const { whole } = this;
        if (whole?.metric !== series.metric || whole.run !== series.run) this.#part = null;
        this.whole = series;
        this.failure = null;
      },
      (error: unknown) => {
        if (isCurrent) this.failure = error instanceof Error ? error.message : String(error);
      },
    );
    return () => (isCurrent = false);
  }

  #loadPart({ load, metric, run, columns, view }: Wanted): (() => void) | undefined {
    const { whole } = this;
    if (!whole?.thinned || whole.metric !== metric || whole.run !== run) return;
    const all: Span = [whole.start, whole.end];
    const have = this.#part?.loaded ?? { span: all, columns };
    if (suffices(have, view, all, columns)) return;
    const ask = wanted(view, all, columns);
    if (!(ask.span[1] > ask.span[0])) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      const [from, to] = ask.span;
      load({ metric, run, columns: ask.columns, from, to }).then(
        (series) => {
          if (isCurrent) this.#part = { series, loaded: ask };
        },
        // The coarse picture stays: it is true, only less fine.
        () => undefined,
      );
    }, PATIENCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }
}
