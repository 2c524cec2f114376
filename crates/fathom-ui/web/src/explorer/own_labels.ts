// Which labels are about what is looked at. A label says that a metric has to do with an anomaly: a target in a
// window of a run. A window that was moved a little is still about the same anomaly.

import type { View } from '../address';
import type { Label, Labels, Marking, Span, WindowLabels } from '../contract';

/** Windows are about the same if so much of what either covers is covered by both. */
const SAME_FROM = 0.5;

type Place = Pick<View, 'target' | 'run' | 'windows' | 'whole'>;

/** The labels of this selection; those of earlier versions, which knew no windows, hold for all. */
export function ownLabels(labels: Labels, view: Place): Readonly<Record<string, Label>> {
  return { ...labels.labels[view.target], ...found(labels, view)?.labels };
}

/** What to change so that the metric has this label here, or none. */
export function markings(labels: Labels, view: Place, metric: string, label: Label | null): Marking[] {
  const { target } = view;
  const here = found(labels, view) ?? { target, run: view.run, windows: windowsOf(view) };
  const marking: Marking = { target, run: here.run, windows: here.windows, metric, label };
  const isOld = Object.hasOwn(labels.labels[target] ?? {}, metric);
  // An old one would show through.
  return label === null && isOld ? [marking, { target, metric, label }] : [marking];
}

/** The labels after a change. */
export function marked(labels: Labels, marking: Marking): Labels {
  const { target, run, windows = [], metric, label } = marking;
  const changed = (own: Record<string, Label>): Record<string, Label> => {
    const others = Object.entries(own).filter(([name]) => name !== metric);
    return Object.fromEntries(label === null ? others : [...others, [metric, label]]);
  };
  if (run === undefined) {
    const others = Object.entries(labels.labels).filter(([name]) => name !== target);
    const own = Object.hasOwn(labels.labels, target) ? (labels.labels[target] ?? {}) : {};
    return { ...labels, labels: Object.fromEntries([...others, [target, changed(own)]]) };
  }
  const isHere = (one: WindowLabels) => one.target === target && one.run === run && isSame(one.windows, windows);
  const known = labels.of_windows.some(isHere);
  const all = known ? labels.of_windows : [...labels.of_windows, { target, run, windows, labels: {} }];
  const next = all.map((one) => (isHere(one) ? { ...one, labels: changed(one.labels) } : one));
  return { ...labels, of_windows: next.filter((one) => Object.keys(one.labels).length > 0) };
}

/** How a file or a table names windows. */
export function windowsText(windows: readonly Span[]): string {
  return windows.length === 0 ? 'all' : windows.map(([start, end]) => `${start}..${end}`).join(' ');
}

/** The entry that is about this selection: the one that covers most of the same. */
function found(labels: Labels, view: Place): WindowLabels | null {
  const windows = windowsOf(view);
  if (windows.length === 0 && !view.whole) return null;
  let best: WindowLabels | null = null;
  let most = SAME_FROM;
  for (const one of labels.of_windows) {
    if (one.target !== view.target || one.run !== view.run) continue;
    const share = overlap(one.windows, windows);
    if (share >= most) [best, most] = [one, share];
  }
  return best;
}

function windowsOf(view: Place): Span[] {
  return view.whole ? [] : view.windows;
}

/** The share of what both cover in what either covers. None at all is all of the target. */
export function overlap(some: readonly Span[], others: readonly Span[]): number {
  if (some.length === 0 || others.length === 0) return some.length === others.length ? 1 : 0;
  const both = length(some.flatMap(([a, b]) => others.map(([c, d]): Span => [Math.max(a, c), Math.min(b, d)])));
  const either = length([...some, ...others]);
  return either > 0 ? both / either : 0;
}

/** How much is covered, once where spans overlap. */
function length(spans: readonly Span[]): number {
  const sorted = spans.filter(([start, end]) => start < end).sort(([a], [b]) => a - b);
  let covered = 0;
  let reached = -Infinity;
  for (const [start, end] of sorted) {
    covered += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return covered;
}

function isSame(some: readonly Span[], others: readonly Span[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}
