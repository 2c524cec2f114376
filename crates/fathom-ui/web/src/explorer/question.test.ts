import { describe, expect, it } from 'vitest';
import type { TracesOverview } from '../contract';
import {
  beginning,
  fitting,
  patternFrom,
  questionOf,
  runsWith,
  usualCommon,
  usualView,
  viewOf,
  wholeQuestion,
} from './question';

const overview: TracesOverview = {
  kind: 'traces',
  title: 'traces',
  opens: 'fathom ui traces',
  common: 'cpu',
  score_in: 'every',
  notes: [],
  asked: null,
  runs: [
    { id: 'r1', origin: null, metrics: 2 },
    { id: 'r2', origin: null, metrics: 1 },
  ],
  metrics: [
    { name: 'ipc', layer: 'hardware', unit: '', kind: 'gauge', runs: [1] },
    { name: 'cpu', layer: 'os', unit: 's', kind: 'counter', runs: [0, 1] },
  ],
  correlators: [
    { name: 'pearson', family: 'shape', about: '' },
    { name: 'combined', family: 'both', about: '' },
  ],
};
const usual = usualView(overview);

describe('a view', () => {
  it('begins with the metric that all runs have', () => {
    expect(usual).toMatchObject({ target: 'cpu', run: 'r1', correlator: 'combined', scoreIn: 'every' });
    expect(usualView({ ...overview, common: null })).toMatchObject({ target: 'ipc', run: 'r2' });
    expect(usualView({ ...overview, common: null, metrics: [] })).toMatchObject({ target: '', run: '' });
  });

  it('asks once something is selected', () => {
    expect(questionOf(usual)).toBeNull();
    expect(questionOf({ ...usual, windows: [[1, 2]] })?.windows).toEqual([[1, 2]]);
    expect(questionOf({ ...usual, whole: true })?.windows).toEqual([]);
    expect(questionOf({ ...usual, target: '', whole: true })).toBeNull();
  });

  it('comes back from its question', () => {
    const view = { ...usual, windows: [[1, 2] as [number, number]], penalty: 2, segments: 4 };
    const question = questionOf(view);
    expect(question && viewOf(question, usual)).toEqual(view);
  });

  it('begins with what the program was asked to show', () => {
    const question = {
      ...wholeQuestion({ ...usual, target: 'ipc', run: 'r2', penalty: 2 }),
      windows: [[1, 2] as [number, number]],
    };
    const asked = { ...overview, asked: { question, selects: true } };
    expect(beginning(asked, usual, '')).toMatchObject({
      target: 'ipc',
      run: 'r2',
      penalty: 2,
      windows: [[1, 2]],
      whole: false,
    });
    expect(beginning(asked, usual, '#')).not.toBeNull();
    expect(beginning(asked, usual, '#target=cpu')).toBeNull();
    expect(beginning(overview, usual, '')).toBeNull();
    const whole = { ...asked, asked: { question: { ...question, windows: [] }, selects: true } };
    expect(beginning(whole, usual, '')).toMatchObject({ windows: [], whole: true });
    const targetAlone = { ...asked, asked: { question: { ...question, windows: [] }, selects: false } };
    expect(beginning(targetAlone, usual, '')).toMatchObject({ target: 'ipc', windows: [], whole: false });
  });

  it('that does not fit is made to, and says so', () => {
    expect(fitting({}, overview, usual)).toEqual({ view: usual, notes: [] });
    const gone = fitting({ target: 'gone', windows: [[1, 2]] }, overview, usual);
    expect(gone.view).toEqual(usual);
    expect(gone.notes[0]).toContain('gone');
    const elsewhere = fitting({ target: 'ipc', run: 'r1', windows: [[1, 2]], zoom: [0, 4] }, overview, usual);
    expect(elsewhere.view).toMatchObject({ target: 'ipc', run: 'r2', windows: [], zoom: null });
    expect(elsewhere.notes).toHaveLength(1);
    expect(fitting({ target: 'ipc' }, overview, usual)).toMatchObject({ view: { run: 'r2' }, notes: [] });
    const junk = fitting(
      { correlator: 'x', common: 'y', stack: ['ipc', 'z'], beside: ['pearson', 'q'] },
      overview,
      usual,
    );
    expect(junk.view).toMatchObject({ correlator: 'combined', common: null, stack: ['ipc'], beside: ['pearson'] });
  });
});

it('runs are aligned by what all of them have', () => {
  expect(usualCommon(overview, 'ipc')).toBe('cpu');
  const unsaid = { ...overview, common: null };
  expect(usualCommon(unsaid, 'ipc')).toBe('cpu');
  expect(usualCommon(unsaid, 'cpu')).toBe('cpu');
  expect(usualCommon({ ...unsaid, metrics: [] }, 'cpu')).toBeNull();
});

it('runs are found by name', () => {
  expect(runsWith(overview, 'cpu')).toEqual(['r1', 'r2']);
  expect(runsWith(overview, 'no such')).toEqual([]);
});

it('a pattern begins with the lines of the segments', () => {
  const lines = (...all: [[number, number], [number, number]][]) => ({
    count: all.length,
    none: null,
    windows: [{ lines: all }],
  });
  expect(
    patternFrom(
      lines(
        [
          [0, 1],
          [1, 2],
        ],
        [
          [1, 4],
          [2, 0],
        ],
      ),
    ),
  ).toEqual([
    [0, 1],
    [1, 3],
    [2, 0],
  ]);
  expect(
    patternFrom(
      lines(
        [
          [0, 1],
          [1, 2],
        ],
        [
          [1.5, 2],
          [2, 0],
        ],
      ),
    ),
  ).toEqual([
    [0, 1],
    [1, 2],
    [1.5, 2],
    [2, 0],
  ]);
  expect(patternFrom(lines())).toBeNull();
});
