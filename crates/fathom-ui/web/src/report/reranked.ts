// Another order of a stored ranking: every correlator's scores are in it.

import type { Answer, CorrelatorInfo, Explanation, Ranked } from '../contract';

/** The answer as another correlator ranks it; chances belong to the one that was asked. */
export function reranked(answer: Answer, correlator: CorrelatorInfo, command: string): Answer {
  const { explanation } = answer;
  const said = (row: Ranked) => row.correlators[correlator.name];
  const rows = explanation.ranking.toSorted(
    (a, b) => (said(a)?.rank ?? Infinity) - (said(b)?.rank ?? Infinity) || a.rank - b.rank,
  );
  const first = firstOfCopies(rows);
  const ranking = rows.map((row, place): Ranked => ({
    ...row,
    rank: place + 1,
    score: said(row)?.score ?? null,
    sign: sign(row, correlator, explanation),
    p_value: null,
    q_value: null,
    ranked_by: null,
    copy_of: first.get(row.metric) ?? null,
  }));
  return {
    ...answer,
    provisional: false,
    sentence:
      `Ranked by ${correlator.name} from the scores in this report; q-values were computed for `
      + `${explanation.correlator} only. Start with:`,
    command,
    explanation: {
      ...explanation,
      correlator: correlator.name,
      ranking,
      notes: [...explanation.notes, ...note(explanation)],
    },
  };
}

/** A metric that was scored in several runs is spoken for by one, which the correlator chooses. */
function note(explanation: Explanation): string[] {
  const isChosen = explanation.ranking.some((row) => row.scored_in_runs > 1);
  return isChosen
    ? [
        `metrics in several runs keep the run chosen for ${explanation.correlator}; the `
          + 'command may choose another run and rank slightly differently',
      ]
    : [];
}

/** With the target or against it: by what the correlator looks for. */
function sign(row: Ranked, { name, family }: CorrelatorInfo, explanation: Explanation): -1 | 0 | 1 {
  const target = explanation.target_change;
  const byChange = row.change && target ? direction(row.change.shift) * direction(target.shift) : 0;
  const byShape = row.shape ? direction(row.shape.r) : 0;
  switch (family) {
    case 'change':
      return direction(byChange);
    case 'shape':
      return row.correlators[name]?.sign ?? direction(byShape);
    case 'both':
      return direction(byShape || byChange);
  }
}

function direction(value: number): -1 | 0 | 1 {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/** For each near copy the first of its kind in the new order; the first itself is not there. */
function firstOfCopies(rows: readonly Ranked[]): Map<string, string> {
  const leaders = new Map<string, string>();
  const copies = new Map<string, string>();
  for (const row of rows) {
    const kind = row.copy_of ?? row.metric;
    const leader = leaders.get(kind);
    if (leader === undefined) leaders.set(kind, row.metric);
    else copies.set(row.metric, leader);
  }
  return copies;
}
