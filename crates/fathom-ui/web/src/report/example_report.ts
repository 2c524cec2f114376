// A small report of made-up traces, for tests.

import type { Question, Ranked, Report, Series } from '../contract';

export const QUESTION: Question = {
  target: 'latency',
  run: 'run-1',
  windows: [[12, 14]],
  baseline: null,
  segments: 'auto',
  pattern: null,
  common: 'requests',
  normalise: false,
  penalty: 0,
  correlator: 'combined',
  score_in: 'every',
};

function row(rank: number, metric: string, rest: Partial<Ranked> = {}): Ranked {
  return {
    rank,
    metric,
    layer: 'os',
    unit: '',
    score: 10 - rank,
    sign: 1,
    lag: 0,
    p_value: 0.001,
    q_value: 0.01,
    ranked_by: 'change',
    change: null,
    shape: null,
    correlators: {},
    run: 'run-1',
    scored_in_runs: 1,
    same_sign_in_runs: 1,
    copy_of: null,
    derived: null,
    random_walk: false,
    says: '',
    ...rest,
  };
}

export const RANKING: Ranked[] = [
  row(1, 'gc.pause', {
    change: { shift: -3, relative: null, z: 9, constant_before: null },
    correlators: {
      combined: { score: 9, rank: 1, sign: 0 },
      pearson: { score: 0.2, rank: 3, sign: -1 },
      change: { score: 9, rank: 1, sign: -1 },
    },
  }),
  row(2, 'faults', {
    correlators: {
      combined: { score: 8, rank: 2, sign: 0 },
      pearson: { score: 0.9, rank: 1, sign: 1 },
    },
  }),
  row(3, 'faults.copy', {
    copy_of: 'faults',
    correlators: {
      combined: { score: 7, rank: 3, sign: 0 },
      pearson: { score: 0.9, rank: 1, sign: 1 },
    },
  }),
  row(4, 'idle', { correlators: { combined: { score: 6, rank: 4, sign: 0 } } }),
];

export function line(metric: string, time: number[], rest: Partial<Series> = {}): Series {
  return {
    run: 'run-1',
    metric,
    unit: '',
    start: 0,
    end: 30,
    rows: 3000,
    thinned: true,
    time,
    values: time.map((_, n) => n),
    ...rest,
  };
}

export function exampleReport(): Report {
  return {
    made_by: 'fathom 0.1.0',
    made: '2026-11-16 09:00 UTC',
    thinned: null,
    commands: {
      pearson: {
        explain: "fathom explain 'my traces' --target latency --window 12..14 --correlator pearson",
        ui: "fathom ui 'my traces' --target latency --window 12..14 --correlator pearson",
      },
    },
    overview: {
      kind: 'traces',
      title: 'traces',
      opens: "fathom ui 'my traces'",
      runs: [{ id: 'run-1', origin: null, metrics: 5 }],
      metrics: [],
      common: 'requests',
      score_in: 'every',
      notes: [],
      asked: null,
      correlators: [
        { name: 'combined', family: 'both', about: '' },
        { name: 'pearson', family: 'shape', about: '' },
        { name: 'change', family: 'change', about: '' },
        { name: 'manual_pattern', family: 'shape', about: '' },
      ],
    },
    question: QUESTION,
    answer: {
      provisional: false,
      seconds: 0.2,
      sentence: 'latency rises.',
      command: 'fathom explain',
      explanation: {
        schema: 'fathom/1',
        target: 'latency',
        target_run: 'run-1',
        target_unit: 'ms',
        target_change: { shift: 4, relative: 0.4, z: 12, constant_before: null },
        windows: [],
        baseline: null,
        segments: null,
        common_metric: null,
        runs: ['run-1'],
        alignment: [],
        correlator: 'combined',
        ranking: RANKING,
        excluded: [],
        notes: [],
        silent_correlators: { manual_pattern: 'no pattern was drawn' },
        enough_context: true,
      },
    },
    series: [line('latency', [0, 10, 20, 30])],
    ribbons: [
      {
        from: 'run-1',
        to: 'run-2',
        here: [0, 30],
        there: [0, 31],
        difference: [0, 0],
        fit: 'good',
        cost_per_step: 0.1,
      },
    ],
    segmentation: {
      windows: [
        {
          lines: [
            [
              [12, 1],
              [14, 2],
            ],
          ],
        },
      ],
      count: 1,
      none: null,
    },
    labels: { labels: { latency: { faults: 'yes' } }, of_windows: [], saved_in: null, note: null },
  };
}
