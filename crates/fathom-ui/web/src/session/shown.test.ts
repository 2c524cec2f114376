import { describe, expect, it } from 'vitest';
import { chosenName, needsPicker, pairOf, shownFor } from './shown';
import type { ComparisonView, SessionView, SubjectView } from '../contract';

const subject = (name: string): SubjectView => ({
  name,
  unit: 's',
  sentence: '',
  trail: '',
  warnings: [],
  estimates: [],
  samples: { index: [], values: [], label: [], outlying: [], change_points: [], n: 0, thinned: false },
  histogram: null,
  ecdf: null,
  correlogram: null,
});
const comparison = (reference: string, name: string): ComparisonView => ({
  reference,
  subject: name,
  verdict: 'slower',
  sentence: '',
  ratio: 1,
  lower: 1,
  upper: 1,
  confidence: 0.95,
  margin: 0.01,
  shift: null,
  blocks: null,
  notes: [],
});
const view = (subjects: string[], pairs: [string, string][]): SessionView => ({
  verdict: { sentence: '', tone: 'plain' },
  command_line: '',
  options_note: null,
  warnings: [],
  options: {
    confidence: 0.95,
    outliers: 'flag',
    outlier_method: 'simplified',
    steady_state: 'auto',
    statistic: 'median',
  },
  subjects: subjects.map(subject),
  comparisons: pairs.map(([a, b]) => comparison(a, b)),
  growth: [],
  work_lines: [],
});
const names = (subjects: SubjectView[]): string[] => subjects.map(({ name }) => name);

describe('what is shown', () => {
  it('is all of one subject or one pair', () => {
    const pair = view(['a', 'b'], [['a', 'b']]);
    expect(needsPicker(pair)).toBe(false);
    expect(names(shownFor(pair, 'b').subjects)).toEqual(['a', 'b']);
    expect(needsPicker(view(['a'], []))).toBe(false);
    expect(shownFor(view([], []), null)).toEqual({ comparisons: [], subjects: [] });
  });

  it('of several is the one that is picked, with what it is compared to', () => {
    const many = view(
      ['a', 'b', 'c'],
      [
        ['a', 'b'],
        ['a', 'c'],
      ],
    );
    expect(needsPicker(many)).toBe(true);
    const shown = shownFor(many, 'c');
    expect(names(shown.subjects)).toEqual(['a', 'c']);
    expect(shown.comparisons.map((one) => one.subject)).toEqual(['c']);
    expect(names(shownFor(many, 'a').subjects)).toEqual(['a']);
  });

  it('of two that are not compared is one', () => {
    const apart = view(['a', 'b'], []);
    expect(needsPicker(apart)).toBe(true);
    expect(names(shownFor(apart, 'b').subjects)).toEqual(['b']);
  });

  it('is the first comparison if the name is not there any more', () => {
    expect(chosenName(view(['a', 'b', 'c'], [['a', 'c']]), 'gone')).toBe('c');
    expect(chosenName(view(['a', 'b', 'c'], []), null)).toBe('a');
    expect(chosenName(view([], []), 'x')).toBeNull();
  });

  it('has no pair where the reference is not in the session', () => {
    expect(pairOf(view(['b'], []), comparison('elsewhere', 'b'))).toBeNull();
    expect(pairOf(view(['a', 'b'], []), comparison('a', 'b'))?.reference.name).toBe('a');
  });
});
