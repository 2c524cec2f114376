// From what was opened to a view, and from a view to a question.

import type { View } from '../address';
import type { Knot, Question, Segmentation, TracesOverview } from '../contract';

/** How it looks before anybody did anything: the metric that runs are aligned by, or the first. */
export function usualView(overview: TracesOverview): View {
  const names = overview.metrics.map(({ name }) => name);
  const target = overview.common !== null && names.includes(overview.common) ? overview.common : (names[0] ?? '');
  const correlators = overview.correlators.map(({ name }) => name);
  return {
    target,
    run: runsWith(overview, target)[0] ?? '',
    windows: [],
    whole: false,
    baseline: null,
    segments: 'auto',
    pattern: null,
    correlator: correlators.includes('combined') ? 'combined' : (correlators[0] ?? 'combined'),
    scoreIn: overview.score_in,
    common: null,
    normalise: false,
    penalty: 0,
    zoom: null,
    stack: null,
    beside: [],
    search: '',
  };
}

/** The runs that have a metric, in their order. */
export function runsWith(overview: TracesOverview, metric: string): string[] {
  const places = overview.metrics.find(({ name }) => name === metric)?.runs ?? [];
  return places.map((place) => overview.runs[place]?.id).filter((run) => run !== undefined);
}

/** What runs are aligned by as long as nobody chooses: what the traces say, the target, the first that all have. */
export function usualCommon(overview: TracesOverview, target: string): string | null {
  const inAll = overview.metrics.filter(({ runs }) => runs.length === overview.runs.length).map(({ name }) => name);
  return overview.common ?? inAll.find((name) => name === target) ?? inAll[0] ?? null;
}

/** A view that fits what was opened: of names that are not in it nothing is left but a note. */
export function fitting(wanted: Partial<View>, overview: TracesOverview, usual: View): { view: View; notes: string[] } {
  const notes: string[] = [];
  const names = new Set(overview.metrics.map(({ name }) => name));
  const correlators = new Set(overview.correlators.map(({ name }) => name));
  const view: View = { ...usual, ...wanted };
  if (!names.has(view.target)) {
    notes.push(`The address asks for ${quoted(view.target)}, which no run here has.`);
    return { view: usual, notes };
  }
  const having = runsWith(overview, view.target);
  if (!having.includes(view.run)) {
    if (wanted.run !== undefined) {
      notes.push(`The address asks for run ${quoted(view.run)}, which has no ${quoted(view.target)} here.`);
      view.windows = [];
      view.baseline = view.pattern = view.zoom = null;
    }
    view.run = having[0] ?? '';
  }
  if (!correlators.has(view.correlator)) view.correlator = usual.correlator;
  if (view.common !== null && !names.has(view.common)) view.common = null;
  view.stack = view.stack?.filter((name) => names.has(name)) ?? null;
  view.beside = view.beside.filter((name) => correlators.has(name));
  return { view, notes };
}

/** What a view asks; `null` if nothing is selected. */
export function questionOf(view: View): Question | null {
  if (view.target === '' || (view.windows.length === 0 && !view.whole)) return null;
  return wholeQuestion(view);
}

/** The same, about all of the metric if nothing is selected. */
export function wholeQuestion(view: View): Question {
  const { target, run, windows, baseline, segments, pattern, common, normalise, penalty, correlator } = view;
  return {
    target,
    run,
    windows: view.whole ? [] : windows,
    baseline,
    segments,
    // A single knot is a pattern that somebody has just begun to draw.
    pattern: pattern && pattern.length > 1 ? pattern : null,
    common,
    normalise,
    penalty,
    correlator,
    score_in: view.scoreIn,
  };
}

/** The view that asks this. */
export function viewOf(question: Question, usual: View): View {
  const { score_in, ...same } = question;
  return { ...usual, ...same, scoreIn: score_in, whole: question.windows.length === 0 };
}

/** What the program was asked to show first, unless the address says what to show. */
export function beginning(overview: TracesOverview, usual: View, fragment: string): Partial<View> | null {
  const { asked } = overview;
  if (!asked || fragment.replace(/^#/, '') !== '') return null;
  const view = viewOf(asked.question, usual);
  return asked.selects ? view : { ...view, windows: [], whole: false, scoreIn: usual.scoreIn };
}

/** A pattern to begin with: the lines of the segments, from knot to knot. */
export function patternFrom(segmentation: Segmentation): Knot[] | null {
  const knots: Knot[] = [];
  for (const knot of segmentation.windows.flatMap(({ lines }) => lines.flat())) {
    const last = knots.at(-1);
    // Lines meet between two rows, each with its own height there.
    if (last === undefined || knot[0] > last[0]) knots.push(knot);
    else if (knot[0] === last[0]) knots[knots.length - 1] = [knot[0], (last[1] + knot[1]) / 2];
  }
  return knots.length > 1 ? knots : null;
}

export function quoted(name: string): string {
  return `“${name}”`;
}
