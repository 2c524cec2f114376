import { expect, it } from 'vitest';
import type { Alignment, Explanation } from '../contract';
import { alignmentSentence } from './alignment';

const run = (name: string, cost: number, fit: 'good' | 'fair' | 'poor' | null): Alignment => ({
  run: name,
  cost_per_step: cost,
  window: null,
  windows: [],
  metrics_scored: 0,
  warnings: [],
  ...(fit === null
    ? {}
    : {
        quality: {
          fit,
          cost_in_window: null,
          relative_cost: null,
          against_chance: null,
          longest_stretch: 1,
          longest_stretch_in_window: 1,
          slope: 1,
          ends_uncertain: 0,
        },
      }),
});
const of = (alignment: Alignment[], common: string | null) =>
  alignmentSentence({ alignment, common_metric: common, runs: alignment.map((one) => one.run) } as Explanation);

it('counts fits and says the costs', () => {
  expect(of([run('a', 0, null), run('b', 0.03, 'good'), run('c', 0.2, 'poor'), run('d', 0.1, 'good')], 'cpu')).toBe(
    '4 runs aligned by cpu: 2 good, 1 poor; cost per step 0.03 to 0.2',
  );
  expect(of([run('a', 0, null), run('b', 0.5, 'fair')], null)).toBe('2 runs aligned: 1 fair; cost per step 0.5');
});

it('has nothing to say of a single run', () => {
  expect(of([run('a', 0, null)], 'cpu')).toBe('');
});
