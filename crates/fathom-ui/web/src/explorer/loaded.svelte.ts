// What is loaded for a view besides the ranking: the target's line, its segments, runs aligned with it.

import type { View } from '../address';
import type { Context, Question, Ribbon, Segmentation, Series, Span, Suggestion } from '../contract';
import type { DataSource } from '../data/source';
import { KeepingUp, Latest } from './latest';
import { questionOf, wholeQuestion } from './question';

/** While one zooms, the line in finer detail waits for a rest. */
const ZOOM_REST_MS = 120;
const SEGMENTS_REST_MS = 160;

/** Whether one of these is new in the view. */
export type Differs = (...names: (keyof View)[]) => boolean;

export class Loaded {
  series = $state.raw<Series | null>(null);
  /** All of the target in its run, whatever is zoomed to. */
  whole = $state.raw<Series | null>(null);
  seriesError = $state<string | null>(null);
  suggestions = $state.raw<Suggestion[]>([]);
  segmentation = $state.raw<Segmentation | null>(null);
  segmentsError = $state<string | null>(null);
  /** Why the target is not cut, though nothing went wrong. */
  uncut = $state<string | null>(null);
  /** Whether the windows can be significant; while they are drawn too. */
  context = $state.raw<Context | null>(null);
  ribbons = $state.raw<Ribbon[]>([]);
  /** Why runs are not aligned. */
  ribbonsError = $state<string | null>(null);
  isAligning = $state(false);
  /** Whether aligning was called off. */
  wasCancelled = $state(false);

  #source: DataSource;
  #hasRuns: boolean;
  /** How many points the target's chart can show. */
  #columns = 1200;
  #view: View | null = null;
  #isWaiting = { suggestions: false, warps: false };
  #contexts = new KeepingUp<Question, Context>(
    (question) => this.#source.context(question),
    (context) => (this.context = context),
  );
  #lines = new Latest();
  #overviews = new Latest();
  #warps = new Latest();
  #segments = new Latest();
  #suggesting = new Latest();

  constructor(source: DataSource, hasRuns: boolean) {
    this.#source = source;
    this.#hasRuns = hasRuns;
  }

  /** Loads what is new in the view; `resting`: the brush does not move. */
  follow(view: View, differs: Differs, resting: boolean): void {
    this.#view = view;
    const isOther = differs('target', 'run');
    if (isOther) {
      this.series = null;
      this.whole = null;
      this.#overviews.stop();
      this.seriesError = null;
      this.suggestions = [];
      this.#suggesting.stop();
    }
    const isAlignedAnew = isOther || differs('common', 'normalise', 'penalty');
    if (isAlignedAnew) this.#forgetWarps();
    if (isOther) this.#isWaiting.suggestions = true;
    if (isAlignedAnew) this.#isWaiting.warps = true;
    if (isOther || differs('zoom')) this.#line(view, isOther ? 0 : ZOOM_REST_MS);
    else if (this.series) this.#afterPicture();
    if (isOther || differs('windows', 'whole', 'segments')) this.#cut(view, resting);
    if (isOther || differs('windows', 'whole')) this.#judge(view);
  }

  stop(): void {
    for (const one of [this.#lines, this.#overviews, this.#warps, this.#segments, this.#suggesting]) one.stop();
  }

  /** The chart's width in points: much more room deserves more detail. */
  setColumns(columns: number): void {
    const isClose = columns < this.#columns * 1.25 && columns > this.#columns * 0.5;
    if (columns <= 0 || isClose) return;
    this.#columns = columns;
    if (this.#view) this.#line(this.#view, 0);
  }

  #line({ run, target, zoom }: View, wait: number): void {
    this.#lines.start(
      {
        work: (signal) =>
          zoom
            ? this.#source.series({ run, metric: target, columns: this.#columns * 2, ...aired(zoom) }, signal)
            : this.#source.series({ run, metric: target, columns: this.#columns }, signal),
        done: (series) => {
          this.series = series;
          this.seriesError = null;
          if (!zoom) this.whole = series;
          else if (this.whole === null) this.#loadWhole({ run, target });
          this.#afterPicture();
        },
        failed: (why) => {
          this.seriesError = why;
          this.#afterPicture();
        },
      },
      wait,
    );
  }

  /** A view that began zoomed knows only a part of the line. */
  #loadWhole({ run, target }: Pick<View, 'run' | 'target'>): void {
    this.#overviews.start({
      work: (signal) => this.#source.series({ run, metric: target, columns: this.#columns }, signal),
      done: (series) => (this.whole = series),
      // Without the minimap everything else still works.
      failed: () => undefined,
    });
  }

  /** What takes longer waits for the picture. */
  #afterPicture(): void {
    const view = this.#view;
    if (view === null) return;
    const { suggestions, warps } = this.#isWaiting;
    this.#isWaiting = { suggestions: false, warps: false };
    if (suggestions) this.#suggest(view);
    if (warps) this.#warp(view);
  }

  #suggest({ run, target }: View): void {
    this.#suggesting.start({
      work: (signal) => this.#source.suggestions(run, target, signal),
      done: (suggestions) => (this.suggestions = suggestions),
      // Without suggestions everything else still works.
      failed: () => (this.suggestions = []),
    });
  }

  /** Leaves runs as far aligned as they are. */
  cancelAligning(): void {
    this.#warps.stop();
    this.isAligning = false;
    this.wasCancelled = true;
  }

  /** Aligns the runs that are not, after it was called off. */
  alignAgain(): void {
    this.#forgetWarps();
    if (this.#view) this.#warp(this.#view);
  }

  #forgetWarps(): void {
    this.wasCancelled = false;
    this.#warps.stop();
    this.ribbons = [];
    this.ribbonsError = null;
  }

  #warp(view: View): void {
    if (!this.#hasRuns) return;
    this.isAligning = true;
    this.#warps.start({
      work: (signal, heard) => {
        const add = heard((ribbon: Ribbon) => (this.ribbons = [...this.ribbons, ribbon]));
        return this.#source.warps(wholeQuestion(view), add, signal);
      },
      done: () => (this.isAligning = false),
      failed: (why) => {
        this.isAligning = false;
        this.ribbonsError = why;
      },
    });
  }

  #judge(view: View): void {
    const question = questionOf(view);
    if (question === null) this.#contexts.clear();
    else this.#contexts.ask(question);
  }

  #cut(view: View, resting: boolean): void {
    const question = questionOf(view);
    this.segmentsError = null;
    this.uncut = null;
    if (question === null) {
      this.#segments.stop();
      this.segmentation = null;
      return;
    }
    this.#segments.start(
      {
        work: (signal) => this.#source.segments(question, signal),
        done: (segmentation) => {
          this.segmentation = segmentation.none === null ? segmentation : null;
          this.uncut = segmentation.none;
        },
        failed: (why) => {
          this.segmentation = null;
          this.segmentsError = why;
        },
      },
      resting ? 0 : SEGMENTS_REST_MS,
    );
  }
}

/** A half more on both sides, so that a pan has something to show. */
function aired([start, end]: Span): { from: number; to: number } {
  const room = (end - start) / 2;
  return { from: start - room, to: end + room };
}
