import { describe, expect, it, vi } from 'vitest';
import { marked } from './own_labels';
import type { Answer, Labels, Question, Ribbon, Said, Segmentation, Series, TracesOverview } from '../contract';
import type { DataSource, SeriesQuery } from '../data/source';
import { Explorer } from './state.svelte';

const overview: TracesOverview = {
  kind: 'traces',
  title: 'traces',
  opens: 'fathom ui traces',
  common: 'cpu',
  score_in: 'nearest',
  notes: [],
  asked: null,
  runs: [1, 2, 3].map((n) => ({ id: `r${n}`, origin: null, metrics: 3 })),
  metrics: [
    { name: 'cpu', layer: 'os', unit: 's', kind: 'counter', runs: [0, 1, 2] },
    { name: 'ipc', layer: 'hardware', unit: '', kind: 'gauge', runs: [0, 1] },
    { name: 'gc', layer: 'vm', unit: '', kind: 'gauge', runs: [2] },
  ],
  correlators: [
    { name: 'combined', family: 'both', about: '' },
    { name: 'pearson', family: 'shape', about: '' },
  ],
};
const NO_LABELS: Labels = { labels: {}, of_windows: [], saved_in: null, note: null };
const series = (run: string, metric: string): Series => ({
  run,
  metric,
  unit: '',
  start: 0,
  end: 20,
  rows: 3,
  thinned: false,
  time: [0, 10, 20],
  values: [1, 2, 1],
});
const segmentation: Segmentation = {
  count: 1,
  none: null,
  windows: [
    {
      lines: [
        [
          [1, 0],
          [2, 5],
        ],
      ],
    },
  ],
};
const ribbon: Ribbon = {
  from: 'r1',
  to: 'r2',
  here: [0, 20],
  there: [0, 40],
  difference: [0, 0],
  fit: 'good',
  cost_per_step: 0,
};
const answer = (question: Question): Said => ({
  type: 'ranking',
  provisional: false,
  seconds: 0.1,
  sentence: question.target,
  command: 'fathom explain',
  explanation: {
    target_run: question.run,
    alignment: [{ run: 'r2', windows: [{ start: 3.25, end: 4.5 }] }],
    ranking: ['a', 'b', 'c'].map((metric) => ({ metric, copy_of: null, run: 'r3' })),
    excluded: [],
  } as unknown as Answer['explanation'],
});

function sourceOf(more: Partial<DataSource> = {}) {
  const asked: Question[] = [];
  const source: DataSource = {
    live: true,
    overview: () => Promise.resolve(overview),
    series: ({ run, metric }) => Promise.resolve(series(run, metric)),
    explain: (question, on) => {
      asked.push(question);
      on(answer(question));
      return Promise.resolve();
    },
    warps: (_, on) => {
      on(ribbon);
      return Promise.resolve();
    },
    segments: () => Promise.resolve(segmentation),
    context: () => Promise.resolve({ enough: true, advice: null }),
    suggestions: () => Promise.resolve([{ kind: 'dips', about: '', windows: [[1.23456, 2.5]] }]),
    opening: () => Promise.resolve('fathom ui traces'),
    labels: () => Promise.resolve(NO_LABELS),
    label: (marking) => Promise.resolve(marked(NO_LABELS, marking)),
    session: () => Promise.reject(new Error('not a session')),
    ...more,
  };
  return { source, asked };
}

async function started(fragment = '', more: Partial<DataSource> = {}) {
  const { source, asked } = sourceOf(more);
  const explorer = new Explorer(source, overview, fragment);
  explorer.start();
  await settled();
  return { explorer, asked };
}

/** All that was promised so far has come. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('the explorer', () => {
  it('asks nothing until something is selected', async () => {
    const { explorer, asked } = await started();
    expect([explorer.view.target, explorer.view.run, asked.length]).toEqual(['cpu', 'r1', 0]);
    expect(explorer.loaded.series?.metric).toBe('cpu');
    expect(explorer.loaded.suggestions).toHaveLength(1);
    expect(explorer.loaded.ribbons).toEqual([ribbon]);
    expect(explorer.loaded.segmentation).toBeNull();
  });

  it('begins where an address says, and says where it is', async () => {
    const fragment = 'target=ipc&run=r2&window=1..2&correlator=pearson&stack=gc&search=x';
    const { explorer, asked } = await started(`#${fragment}`);
    expect(asked).toMatchObject([{ target: 'ipc', run: 'r2', windows: [[1, 2]], correlator: 'pearson' }]);
    expect(explorer.fragment).toBe(fragment);
    expect(explorer.loaded.segmentation).toEqual(segmentation);
    expect(explorer.asking.answer?.sentence).toBe('ipc');
    explorer.restore('#target=cpu&run=r1');
    await settled();
    expect([explorer.view.target, explorer.question, explorer.asking.answer]).toEqual(['cpu', null, null]);
  });

  it('says what of an address is not there', async () => {
    const { explorer } = await started('#target=gone&window=1..2');
    expect(explorer.view.target).toBe('cpu');
    expect(explorer.notes[0]).toContain('gone');
  });

  it('asks anew only where the question is another', async () => {
    const { explorer, asked } = await started('#target=cpu&run=r1&window=1..2');
    explorer.change({ zoom: [0, 4] });
    explorer.change({ search: 'gc', beside: ['pearson'], stack: ['gc'] });
    await settled();
    expect(asked).toHaveLength(1);
    explorer.change({ penalty: 2 });
    await settled();
    expect(asked).toHaveLength(2);
  });

  it('asks at once when the brush is let go where it was', async () => {
    const { explorer, asked } = await started();
    explorer.drawWindows([[1, 2]], false);
    explorer.drawWindows([[1, 2]], true);
    await settled();
    expect(asked).toHaveLength(1);
  });

  it('writes times as one would say them, but leaves known ones alone', async () => {
    const { explorer } = await started();
    explorer.nextSuggestion();
    expect(explorer.view.windows).toEqual([[1.23456, 2.5]]);
    explorer.drawWindows(
      [
        [1.23456, 2.51234567],
        [5.000001, 6.999999],
      ],
      true,
    );
    expect(explorer.view.windows).toEqual([
      [1.23456, 2.51],
      [5, 7],
    ]);
  });

  it('never shows an older line over a newer one', async () => {
    const waiting = new Map<string, (one: Series) => void>();
    const slow: DataSource['series'] = ({ run, metric }) =>
      new Promise((resolve) => waiting.set(metric, () => resolve(series(run, metric))));
    const { explorer } = await started('', { series: slow });
    explorer.aim('ipc');
    waiting.get('ipc')?.(series('r1', 'ipc'));
    waiting.get('cpu')?.(series('r1', 'cpu'));
    await settled();
    expect(explorer.loaded.series?.metric).toBe('ipc');
  });

  it('takes the window along to another run', async () => {
    const { explorer } = await started('#target=cpu&run=r1&window=1..2&baseline=0..0.5');
    explorer.stepRun(1);
    expect(explorer.view).toMatchObject({ run: 'r2', windows: [[3.25, 4.5]], baseline: [0, 1] });
    explorer.stepRun(9);
    expect(explorer.view.run).toBe('r2');
  });

  it('keeps the window for another target of the same run only', async () => {
    const { explorer } = await started('#target=cpu&run=r1&window=1..2');
    explorer.aim('ipc');
    expect(explorer.view).toMatchObject({ target: 'ipc', run: 'r1', windows: [[1, 2]] });
    explorer.aim('gc');
    expect(explorer.view).toMatchObject({ target: 'gc', run: 'r3', windows: [] });
  });

  it('is worked by keys alone', async () => {
    const { explorer } = await started();
    explorer.addWindow();
    expect(explorer.view.windows).toEqual([[9, 11]]);
    explorer.nudge(5, false);
    explorer.nudge(-5, true);
    expect(explorer.view.windows).toEqual([[10, 11]]);
    explorer.addWindow();
    expect([explorer.view.windows.length, explorer.inHand]).toEqual([2, 1]);
    explorer.nextWindow();
    expect(explorer.inHand).toBe(0);
    explorer.baselineMode();
    expect(explorer.view.baseline?.[0]).toBe(0);
    explorer.removeInHand();
    expect(explorer.view.baseline).toBeNull();
    await settled();
    explorer.patternMode();
    expect(explorer.view.pattern).toBeNull();
    explorer.patternFromSegments();
    expect(explorer.view.pattern).toEqual([
      [1, 0],
      [2, 5],
    ]);
    explorer.clear();
    expect([explorer.mode, explorer.view.zoom]).toEqual(['window', null]);
    explorer.zoomToWindows();
    explorer.clear();
    expect([explorer.view.zoom, explorer.view.windows.length]).toEqual([null, 2]);
    explorer.clear();
    expect([explorer.question, explorer.view.pattern]).toEqual([null, null]);
  });

  it('takes back what a mode proposed and nobody touched', async () => {
    const { explorer, asked } = await started('#target=cpu&run=r1&window=5..6');
    const { fragment } = explorer;
    explorer.patternMode();
    expect(explorer.view.zoom).not.toBeNull();
    explorer.clear();
    expect([explorer.mode, explorer.fragment]).toEqual(['window', fragment]);
    explorer.baselineMode();
    expect(explorer.view.baseline).not.toBeNull();
    explorer.clear();
    expect([explorer.mode, explorer.fragment]).toEqual(['window', fragment]);
    await settled();
    expect(asked.at(-1)).toMatchObject({ pattern: null, baseline: null });
  });

  it('keeps a pattern that was changed, or left by its own key', async () => {
    const { explorer } = await started('#target=cpu&run=r1&window=5..6');
    explorer.patternMode();
    explorer.drawPattern(
      [
        [1, 0],
        [2, 7],
      ],
      true,
    );
    explorer.clear();
    expect(explorer.view.pattern).toEqual([
      [1, 0],
      [2, 7],
    ]);
    explorer.change({ pattern: null });
    explorer.patternMode();
    explorer.patternFromSegments();
    explorer.patternMode();
    expect([explorer.mode, explorer.view.zoom, explorer.view.pattern?.length]).toEqual(['window', null, 2]);
  });

  it('has labels of what is selected', async () => {
    const { explorer } = await started('#target=cpu&run=r1&window=5..6');
    await explorer.label('gc', 'yes');
    expect(explorer.ownLabels).toEqual({ gc: 'yes' });
    explorer.setWindows([[5.1, 6.1]], true);
    expect(explorer.ownLabels).toEqual({ gc: 'yes' });
    explorer.setWindows([[12, 14]], true);
    expect(explorer.ownLabels).toEqual({});
  });

  it('stacks the first of the ranking until somebody chooses', async () => {
    const { explorer } = await started('#target=cpu&run=r1&window=1..2');
    expect(explorer.stacked).toEqual(['a', 'b', 'c']);
    explorer.moveStacked(2, 0);
    expect(explorer.stacked).toEqual(['c', 'a', 'b']);
    explorer.unstack('a');
    expect(explorer.view.stack).toEqual(['c', 'b']);
    explorer.toggleStacked('gc');
    expect(explorer.stacked).toEqual(['c', 'b', 'gc']);
    expect(explorer.runOf('gc')).toBe('r3');
    expect(explorer.runOf('cpu')).toBe('r1');
  });

  it('steps through rows and stops at their ends', async () => {
    const { explorer } = await started('#target=cpu&run=r1&window=1..2');
    const steps = [1, 1, 1, 1, -Infinity, Infinity].map((by) => {
      explorer.stepRow(by);
      return explorer.selectedMetric;
    });
    expect(steps).toEqual(['a', 'b', 'c', 'c', 'a', 'c']);
  });

  it('takes back a label that could not be kept', async () => {
    const { explorer } = await started('', { label: () => Promise.reject(new Error('the disk is full')) });
    explorer.setWindows([[2, 4]], true);
    const labelling = explorer.label('gc', 'yes');
    expect(explorer.ownLabels).toEqual({ gc: 'yes' });
    await labelling;
    expect(explorer.ownLabels).toEqual({});
    expect(explorer.notes[0]).toContain('the disk is full');
  });

  it('says why runs are not aligned', async () => {
    const { explorer } = await started('', { warps: () => Promise.reject(new Error('no metric is in all runs')) });
    expect(explorer.loaded.ribbonsError).toBe('no metric is in all runs');
    expect(explorer.loaded.isAligning).toBe(false);
  });
});

describe('a report', () => {
  const question: Question = {
    target: 'ipc',
    run: 'r2',
    windows: [[1, 2]],
    baseline: null,
    segments: 'auto',
    pattern: null,
    common: null,
    normalise: false,
    penalty: 0,
    correlator: 'combined',
    score_in: 'every',
  };
  const known = answer(question) as Extract<Said, { type: 'ranking' }>;
  const report = { live: false, asked: { question, answer: known } };

  it('shows its own question, whatever the address asks', async () => {
    const { explorer, asked } = await started('#target=cpu&run=r1&window=5..6&stack=gc', report);
    expect(asked).toEqual([question]);
    expect(explorer.view).toMatchObject({ target: 'ipc', run: 'r2', windows: [[1, 2]], stack: ['gc'] });
    expect(explorer.notes).toHaveLength(1);
  });

  it('changes what needs no other answer, and says why the rest stays', async () => {
    const { explorer, asked } = await started('', report);
    expect(explorer.notes).toEqual([]);
    explorer.change({ zoom: [0, 3], correlator: 'pearson' });
    expect(explorer.notes).toEqual([]);
    expect(asked.at(-1)?.correlator).toBe('pearson');
    explorer.drawWindows([[7, 8]], true);
    expect(explorer.view.windows).toEqual([[1, 2]]);
    expect(explorer.notes[0]).toContain('fathom ui');
  });
});

it('loads more detail for a wider chart', async () => {
  const loads = vi.fn(({ run, metric }: SeriesQuery) => Promise.resolve(series(run, metric)));
  const { explorer } = await started('', { series: loads });
  explorer.loaded.setColumns(1300);
  expect(loads).toHaveBeenCalledTimes(1);
  explorer.loaded.setColumns(2500);
  await settled();
  expect(loads.mock.calls.at(-1)?.[0]).toEqual({ run: 'r1', metric: 'cpu', columns: 2500 });
});
