// Which subjects and comparisons are on the page.

import type { ComparisonView, SessionView, SubjectView } from '../contract';

export interface Shown {
  comparisons: ComparisonView[];
  /** Those that are described in full, the reference first. */
  subjects: SubjectView[];
}

/** A single pair is shown whole; of more subjects one is looked at, with what it is compared to. */
export function needsPicker({ subjects, comparisons }: SessionView): boolean {
  return subjects.length > 2 || (subjects.length === 2 && comparisons.length !== 1);
}

/** The subject of that name, else the first that is compared, else the first. */
export function chosenName(view: SessionView, wished: string | null): string | null {
  const named = view.subjects.find(({ name }) => name === wished);
  return named?.name ?? view.comparisons[0]?.subject ?? view.subjects[0]?.name ?? null;
}

export function shownFor(view: SessionView, chosen: string | null): Shown {
  if (!needsPicker(view)) return { comparisons: view.comparisons, subjects: view.subjects };
  const comparisons = view.comparisons.filter(({ subject }) => subject === chosen);
  const names = new Set([...comparisons.map(({ reference }) => reference), chosen]);
  return { comparisons, subjects: view.subjects.filter(({ name }) => names.has(name)) };
}

/** On paper nothing can be picked: all. */
export function shownOnPaper({ comparisons, subjects }: SessionView): Shown {
  return { comparisons, subjects };
}

export interface Pair {
  reference: SubjectView;
  subject: SubjectView;
}

export function pairOf({ subjects }: SessionView, { reference, subject }: ComparisonView): Pair | null {
  const one = subjects.find(({ name }) => name === reference);
  const other = subjects.find(({ name }) => name === subject);
  return one && other ? { reference: one, subject: other } : null;
}
