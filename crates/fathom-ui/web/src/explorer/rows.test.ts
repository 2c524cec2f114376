import { describe, expect, it } from 'vitest';
import type { Ranked } from '../contract';
import { LEFT_OUT, qValue, rankedIn, rows } from './rows';

const ranked = (metric: string, copy_of: string | null = null) => ({ metric, copy_of }) as Ranked;
const explanation = {
  ranking: [ranked('a'), ranked('b'), ranked('c', 'a'), ranked('d', 'gone'), ranked('e', 'a')],
  excluded: [{ metric: 'f', reason: 'it is constant' }],
};
const keys = (unfolded: string[]) => rows(explanation, new Set(unfolded)).map(({ key }) => key);

describe('rows', () => {
  it('fold copies under the first, and what was left out at the end', () => {
    expect(keys([])).toEqual(['a', 'b', 'd', LEFT_OUT]);
    expect(keys(['a'])).toEqual(['a', 'c', 'e', 'b', 'd', LEFT_OUT]);
    expect(keys([LEFT_OUT])).toEqual(['a', 'b', 'd', LEFT_OUT, '\u0000f']);
    expect(rows(explanation, new Set())[0]).toMatchObject({ copies: 2, unfolded: false });
  });

  it('say nothing of nothing left out', () => {
    expect(rows({ ...explanation, excluded: [] }, new Set()).map(({ key }) => key)).toEqual(['a', 'b', 'd']);
  });

  it('of metrics can be labelled, others not', () => {
    const all = rows(explanation, new Set(['a', LEFT_OUT]));
    expect(all.map((row) => rankedIn(row)?.metric ?? null)).toEqual(['a', 'c', 'e', 'b', 'd', null, null]);
    expect(rankedIn(undefined)).toBeNull();
  });
});

it('q is short, as in the terminal', () => {
  expect([null, 0, 0.0344, 0.5, 1, 0.0999].map(qValue)).toEqual(['–', '<.001', '.034', '.50', '1', '.10']);
});
