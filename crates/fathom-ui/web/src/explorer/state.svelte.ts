// The explorer's state: one view, which the address holds, and what was loaded for it.

import { decode, encode, type View } from '../address';
import type { Knot, Label, Labels, Ranked, Span, Suggestion, TracesOverview } from '../contract';
import type { DataSource } from '../data/source';
import { Asking } from './asking.svelte';
import { words } from './latest';
import { Loaded } from './loaded.svelte';
import { marked, markings, ownLabels } from './own_labels';
import { beginning, fitting, patternFrom, questionOf, runsWith, usualView, viewOf } from './question';
import { rankedIn, type Row, rows } from './rows';
import { around, carried, fresh, moved, neat, neatTime, overlap, resized, tidied } from './spans';

export type Mode = 'window' | 'baseline' | 'pattern';

const ONE_QUESTION =
  'A report answers only the question it was made with. For others, open the traces with “fathom ui”.';
const FREE_IN_REPORTS: ReadonlySet<keyof View> = new Set(['zoom', 'stack', 'beside', 'search', 'correlator']);
/** How many of the ranking stand under the target until somebody chooses. */
const FIRST_OF_RANKING = 5;

export class Explorer {
  readonly source: DataSource;
  readonly overview: TracesOverview;
  readonly usual: View;
  readonly asking: Asking;

  readonly loaded: Loaded;

  view: View;
  mode = $state<Mode>('window');
  cursor = $state<number | null>(null);
  /** The window that keys move. */
  inHand = $state(0);
  /** The key of the row that keys are about. */
  selected = $state<string | null>(null);
  unfolded = $state.raw<ReadonlySet<string>>(new Set());

  labels = $state.raw<Labels>({ labels: {}, of_windows: [], saved_in: null, note: null });
  /** What the reader should know now. */
  notes = $state.raw<string[]>([]);

  #nextSuggestion = 0;
  /** What a mode put there by itself, to be taken away again if nobody touches it. */
  #proposed: { zoom: Span } | { baseline: Span } | null = null;
  /** Whether the last change was the end of a movement, rather than a part of one. */
  isResting = true;

  constructor(source: DataSource, overview: TracesOverview, fragment: string) {
    this.source = source;
    this.overview = overview;
    this.asking = new Asking(source);
    this.loaded = new Loaded(source, overview.runs.length > 1);
    const usual = usualView(overview);
    this.usual = source.asked ? viewOf(source.asked.question, usual) : usual;
    const wanted = beginning(overview, usual, fragment) ?? this.#free(decode(fragment));
    const { view, notes } = fitting(wanted, overview, this.usual);
    this.view = $state.raw(view);
    for (const one of notes) this.note(one);
  }

  /** Loads what the view needs; before it nothing is asked. */
  start(): void {
    this.#load(null, true);
    void this.source.labels().then(
      (labels) => (this.labels = labels),
      (error: unknown) => this.note(words(error)),
    );
  }

  /** Calls everything off. */
  stop(): void {
    this.loaded.stop();
    this.asking.clear();
  }

  // ------------------------------------------------------------ what follows from it

  question = $derived.by(() => questionOf(this.view));
  runs = $derived.by(() => runsWith(this.overview, this.view.target));
  fragment = $derived.by(() => encode(this.view, this.usual));
  rows: Row[] = $derived.by(() => {
    const { answer } = this.asking;
    return answer ? rows(answer.explanation, this.unfolded) : [];
  });
  unit = $derived.by(() => this.overview.metrics.find(({ name }) => name === this.view.target)?.unit ?? '');
  extent: Span = $derived.by(() => {
    const { series } = this.loaded;
    return series ? [series.start, series.end] : [0, 1];
  });
  /** The part of it that is shown. */
  shown: Span = $derived.by(() => this.view.zoom ?? this.extent);
  /** Where metrics are compared: what was asked, or what the whole came to. */
  windows: Span[] = $derived.by(() => (this.view.whole ? [this.extent] : this.view.windows));
  /** Edges of suggested anomalies, which windows that are drawn snap to. */
  magnets: number[] = $derived.by(() => this.loaded.suggestions.flatMap(({ windows }) => windows.flat()));
  ownLabels: Readonly<Record<string, Label>> = $derived.by(() => ownLabels(this.labels, this.view));
  stacked: string[] = $derived.by(() => this.view.stack ?? this.#firstRanked());

  ranked(metric: string): Ranked | null {
    return this.asking.answer?.explanation.ranking.find((one) => one.metric === metric) ?? null;
  }

  /** The run that a stacked metric is shown of: the target's, or the one that it was scored in. */
  runOf(metric: string): string {
    const having = runsWith(this.overview, metric);
    if (having.includes(this.view.run)) return this.view.run;
    return this.ranked(metric)?.run ?? having[0] ?? this.view.run;
  }

  #firstRanked(): string[] {
    const ranking = this.asking.answer?.explanation.ranking ?? [];
    return ranking
      .filter(({ copy_of }) => copy_of === null)
      .slice(0, FIRST_OF_RANKING)
      .map(({ metric }) => metric);
  }

  // ------------------------------------------------------------ changes

  /** Changes the view and loads what is new in it; `resting`: the brush does not move. */
  change(patch: Partial<View>, resting = true): void {
    const before = this.view;
    this.view = { ...before, ...this.#free(patch) };
    this.isResting = resting;
    this.#load(before, resting);
  }

  /** What can be changed: in a report only what needs no other answer. */
  #free(patch: Partial<View>): Partial<View> {
    if (this.source.live) return patch;
    const all = Object.entries(patch) as [keyof View, View[keyof View]][];
    const free = all.filter(([name]) => FREE_IN_REPORTS.has(name));
    const isLess = all.some(([name, value]) => !FREE_IN_REPORTS.has(name) && !isSame(value, this.usual[name]));
    if (isLess) this.note(ONE_QUESTION);
    return Object.fromEntries(free);
  }

  /** As an address says, such as one went back to. */
  restore(fragment: string): void {
    if (fragment.replace(/^#/, '') === this.fragment) return;
    this.notes = [];
    const { view, notes } = fitting(decode(fragment), this.overview, this.usual);
    for (const one of notes) this.note(one);
    this.change(view);
  }

  /** Another target: windows stay, as they are a time, patterns go, as they are a shape. */
  aim(target: string): void {
    if (target === this.view.target) return;
    const having = runsWith(this.overview, target);
    const stays = having.includes(this.view.run);
    const where = stays ? {} : { windows: [], whole: false, baseline: null, zoom: null };
    const run = stays ? this.view.run : (having[0] ?? '');
    this.mode = 'window';
    this.change({ target, run, pattern: null, ...where });
  }

  /** The same moments in another run, as far as runs are aligned. */
  toRun(run: string): void {
    if (run === this.view.run || !this.runs.includes(run)) return;
    const { windows, baseline, pattern, zoom } = this.view;
    const answer = this.asking.stale ? null : this.asking.answer?.explanation;
    const known = answer?.alignment.find((one) => one.run === run)?.windows;
    const ribbon = this.loaded.ribbons.find((one) => one.to === run);
    const time = (at: number) => (ribbon ? carried(at, ribbon.here, ribbon.there) : at);
    const span = ([start, end]: Span): Span => [time(start), time(end)];
    this.change({
      run,
      windows: tidied(known ? known.map(({ start, end }): Span => [start, end]) : windows.map(span)),
      baseline: baseline && ribbon ? span(baseline) : null,
      pattern: pattern && ribbon ? increasing(pattern.map(([at, height]): Knot => [time(at), height])) : null,
      zoom: zoom && ribbon ? span(zoom) : null,
    });
  }

  stepRun(by: number): void {
    const next = this.runs[this.runs.indexOf(this.view.run) + by];
    if (next !== undefined) this.toRun(next);
  }

  /** Windows that were drawn in the chart. */
  drawWindows(windows: Span[], resting: boolean): void {
    const kept = new Set([...this.view.windows.flat(), ...this.magnets]);
    this.setWindows(
      windows.map((one) => neat(one, this.shown, kept)),
      resting,
    );
  }

  drawBaseline(baseline: Span | null): void {
    this.change({ baseline: baseline && neat(baseline, this.shown, new Set(this.view.baseline)) });
  }

  drawPattern(pattern: Knot[] | null, resting: boolean): void {
    const kept = new Set(this.view.pattern?.map(([time]) => time));
    const knots = pattern?.map(([time, height]): Knot => [neatTime(time, this.shown, kept), height]);
    this.change({ pattern: knots && increasing(knots)?.length === knots.length ? knots : pattern }, resting);
  }

  setWindows(windows: Span[], resting: boolean): void {
    this.inHand = Math.min(this.inHand, Math.max(0, windows.length - 1));
    this.change({ windows, whole: false }, resting);
  }

  /** One window instead of another; `null` removes it. */
  setWindow(place: number, window: Span | null, resting = true): void {
    const windows = this.view.windows.map((one, n) => (n === place ? window : one)).filter((one) => one !== null);
    this.setWindows(windows, resting);
  }

  addWindow(): void {
    const window = neat(fresh(this.shown, this.view.windows, this.cursor), this.shown, new Set(this.extent));
    this.mode = 'window';
    this.inHand = this.view.windows.length;
    this.setWindows([...this.view.windows, window], true);
  }

  nextWindow(): void {
    const count = this.view.windows.length;
    if (count > 0) this.inHand = (this.inHand + 1) % count;
  }

  /** Moves or resizes what the mode is about, by hundredths of what is shown. */
  nudge(hundredths: number, ofEnd: boolean): void {
    const step = (this.shown[1] - this.shown[0]) / 100;
    const next = (span: Span) => {
      const by = hundredths * step;
      const to = ofEnd ? resized(span, by, this.extent, step) : moved(span, by, this.extent);
      return neat(to, this.shown, new Set([...span, ...this.extent]));
    };
    if (this.mode === 'baseline') {
      if (this.view.baseline) this.change({ baseline: next(this.view.baseline) }, false);
      return;
    }
    const window = this.view.windows[this.inHand];
    if (window) this.setWindow(this.inHand, next(window), false);
  }

  removeInHand(): void {
    if (this.mode === 'baseline') this.change({ baseline: null });
    else if (this.mode === 'pattern') this.change({ pattern: null });
    else this.setWindow(this.inHand, null);
  }

  /** To or from the baseline; the first one is what precedes the windows. */
  baselineMode(): void {
    this.#proposed = null;
    this.mode = this.mode === 'baseline' ? 'window' : 'baseline';
    const first = Math.min(...this.view.windows.map(([start]) => start));
    if (this.mode === 'window' || this.view.baseline || !Number.isFinite(first)) return;
    const before = overlap([this.extent[0], first - (first - this.extent[0]) / 50], this.extent);
    if (!before) return;
    this.drawBaseline(before);
    this.#proposed = this.view.baseline && { baseline: this.view.baseline };
  }

  /** To or from the pattern, which is drawn where the windows are: they are zoomed to. */
  patternMode(): void {
    if (this.mode === 'pattern') {
      this.mode = 'window';
      this.#withdraw();
      return;
    }
    this.#proposed = null;
    this.mode = 'pattern';
    const close = around(this.windows, 0.25, this.extent);
    if (this.view.zoom || !close || isSame(close, this.extent)) return;
    this.change({ zoom: close });
    this.#proposed = { zoom: close };
  }

  /** A pattern to begin with: the lines of the segments. */
  patternFromSegments(): void {
    const { segmentation } = this.loaded;
    if (segmentation) this.change({ pattern: patternFrom(segmentation) });
  }

  /** Takes away what a mode put there, if it still is as it was put: who only looked has changed nothing. */
  #withdraw(): void {
    const proposed = this.#proposed;
    this.#proposed = null;
    if (proposed === null) return;
    if ('zoom' in proposed && isSame(proposed.zoom, this.view.zoom)) this.change({ zoom: null });
    if ('baseline' in proposed && isSame(proposed.baseline, this.view.baseline)) this.change({ baseline: null });
  }

  /** One step back: the mode, then the zoom, then what is selected. */
  clear(): void {
    if (this.mode !== 'window') {
      this.mode = 'window';
      this.#withdraw();
    } else if (this.view.zoom) this.change({ zoom: null });
    else this.clearAll();
  }

  clearAll(): void {
    this.mode = 'window';
    this.change({ windows: [], whole: false, baseline: null, pattern: null, zoom: null });
  }

  zoomToWindows(): void {
    const close = this.view.zoom ? null : around(this.windows, 0.25, this.extent);
    this.change({ zoom: isSame(close, this.extent) ? null : close });
  }

  suggest(suggestion: Suggestion): void {
    this.mode = 'window';
    this.inHand = 0;
    this.change({ windows: suggestion.windows, whole: false });
  }

  /** The suggestions one after the other. */
  nextSuggestion(): void {
    const suggestion = this.loaded.suggestions[this.#nextSuggestion % Math.max(1, this.loaded.suggestions.length)];
    this.#nextSuggestion += 1;
    if (suggestion) this.suggest(suggestion);
    else this.note(`No anomaly was found in ${this.view.target} of ${this.view.run}.`);
  }

  // ------------------------------------------------------------ ranking, stack, labels

  /** The row this many further; the first if there was none. */
  stepRow(by: number): void {
    const place = this.rows.findIndex(({ key }) => key === this.selected);
    const next = place < 0 ? 0 : Math.min(Math.max(place + by, 0), this.rows.length - 1);
    this.selected = this.rows[next]?.key ?? null;
  }

  toggleFold(key: string): void {
    const next = new Set(this.unfolded);
    if (!next.delete(key)) next.add(key);
    this.unfolded = next;
  }

  get selectedMetric(): string | null {
    return rankedIn(this.rows.find(({ key }) => key === this.selected))?.metric ?? null;
  }

  toggleStacked(metric: string): void {
    const { stack } = this.view;
    if (stack === null) this.change({ stack: [metric] });
    else this.change({ stack: stack.includes(metric) ? stack.filter((one) => one !== metric) : [...stack, metric] });
  }

  unstack(metric: string): void {
    this.change({ stack: this.stacked.filter((one) => one !== metric) });
  }

  moveStacked(from: number, to: number): void {
    const stack = [...this.stacked];
    stack.splice(to, 0, ...stack.splice(from, 1));
    this.change({ stack });
  }

  /** Labels a metric; shown at once, and taken back if it cannot be kept. */
  async label(metric: string, label: Label | null): Promise<void> {
    if (this.question === null) return;
    const before = this.labels;
    const wanted = markings(before, this.view, metric, label);
    this.labels = wanted.reduce(marked, before);
    if (before.note !== null) this.note(before.note);
    try {
      for (const marking of wanted) this.labels = await this.source.label(marking);
    } catch (error) {
      this.labels = before;
      this.note(`The label of ${metric} was not saved: ${words(error)}`);
    }
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes = [...this.notes, text];
  }

  // ------------------------------------------------------------ loading

  #load(before: View | null, resting: boolean): void {
    const { view } = this;
    const differs = (...names: (keyof View)[]) =>
      before === null || names.some((name) => !isSame(before[name], view[name]));
    if (view.target === '') return;
    if (differs('target', 'run')) this.#nextSuggestion = 0;
    if (differs('target', 'run', 'windows', 'whole')) this.selected = null;
    this.loaded.follow(view, differs, resting);
    const asks = questionOf(view);
    const isAsked = before !== null && isSame(asks, questionOf(before));
    if (asks === null) this.asking.clear();
    else if (!isAsked || (resting && this.asking.waits)) this.asking.ask(asks, resting);
  }
}

function increasing(knots: Knot[]): Knot[] | null {
  const kept = knots.filter(([time], n) => n === 0 || time > (knots[n - 1]?.[0] ?? time));
  return kept.length > 1 ? kept : null;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
