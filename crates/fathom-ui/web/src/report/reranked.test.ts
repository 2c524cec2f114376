import { expect, it } from 'vitest';
import { RANKING, exampleReport } from './example_report';
import { reranked } from './reranked';

const answer = exampleReport().answer!;
const by = (name: string, family: 'shape' | 'change' | 'both') =>
  reranked(answer, { name, family, about: '' }, 'the command').explanation.ranking;

it('orders by the correlator, and keeps who has no score at the end', () => {
  const rows = by('pearson', 'shape');
  expect(rows.map(({ rank, metric, score }) => [rank, metric, score])).toEqual([
    [1, 'faults', 0.9],
    [2, 'faults.copy', 0.9],
    [3, 'gc.pause', 0.2],
    [4, 'idle', null],
  ]);
  expect(rows.map((row) => row.sign)).toEqual([1, 1, -1, 0]);
});

it('takes a change as with the target if both rose or both fell', () => {
  const pause = by('change', 'change')[0]!;
  expect([pause.metric, pause.sign]).toEqual(['gc.pause', -1]);
});

it('leaves out chances, which belong to the stored order', () => {
  for (const row of by('pearson', 'shape')) {
    expect([row.p_value, row.q_value, row.ranked_by]).toEqual([null, null, null]);
  }
});

it('folds copies into the first of the new order', () => {
  const swapped = {
    ...answer,
    explanation: {
      ...answer.explanation,
      ranking: RANKING.map((row) =>
        row.metric !== 'faults'
          ? row
          : {
              ...row,
              correlators: { ...row.correlators, pearson: { score: 0.8, rank: 2, sign: 1 as const } },
            },
      ),
    },
  };
  const rows = reranked(swapped, { name: 'pearson', family: 'shape', about: '' }, '').explanation.ranking;
  expect(rows.map((row) => [row.metric, row.copy_of]).slice(0, 2)).toEqual([
    ['faults.copy', null],
    ['faults', 'faults.copy'],
  ]);
});

it('leaves the stored answer as it was', () => {
  by('pearson', 'shape');
  expect(answer).toEqual(exampleReport().answer);
});

it('says where the command may rank differently', () => {
  const several = {
    ...answer,
    explanation: {
      ...answer.explanation,
      ranking: answer.explanation.ranking.map((row) => ({ ...row, scored_in_runs: 3 })),
    },
  };
  const notes = reranked(several, { name: 'pearson', family: 'shape', about: '' }, '').explanation.notes;
  expect(notes).toHaveLength(1);
  expect(notes[0]).toContain('rank slightly differently');
});
