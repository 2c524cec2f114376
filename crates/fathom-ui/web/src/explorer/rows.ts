// The ranking as it is listed: near copies under the first of them, what was left out at the end.

import type { Explanation, Ranked } from '../contract';

export type Row =
  | { is: 'ranked'; key: string; ranked: Ranked; copies: number; unfolded: boolean }
  | { is: 'copy'; key: string; ranked: Ranked }
  | { is: 'left-out'; key: string; count: number; unfolded: boolean }
  | { is: 'excluded'; key: string; metric: string; reason: string };

/** The key of the row that unfolds what was left out: no metric has such a name. */
export const LEFT_OUT = '\u0000left out';

export function rows(
  { ranking, excluded }: Pick<Explanation, 'ranking' | 'excluded'>,
  unfolded: ReadonlySet<string>,
): Row[] {
  const names = new Set(ranking.map(({ metric }) => metric));
  const copies = new Map<string, Ranked[]>();
  for (const one of ranking) {
    if (isFolded(one, names)) copies.set(one.copy_of, [...(copies.get(one.copy_of) ?? []), one]);
  }
  const listed = ranking
    .filter((one) => !isFolded(one, names))
    .flatMap((ranked): Row[] => {
      const { metric } = ranked;
      const own = copies.get(metric) ?? [];
      const isOpen = unfolded.has(metric);
      return [
        { is: 'ranked', key: metric, ranked, copies: own.length, unfolded: isOpen },
        ...(isOpen ? own : []).map((copy): Row => ({ is: 'copy', key: copy.metric, ranked: copy })),
      ];
    });
  if (excluded.length === 0) return listed;
  const isOpen = unfolded.has(LEFT_OUT);
  const why = isOpen ? excluded : [];
  return [
    ...listed,
    { is: 'left-out', key: LEFT_OUT, count: excluded.length, unfolded: isOpen },
    ...why.map((one): Row => ({ is: 'excluded', key: `\u0000${one.metric}`, ...one })),
  ];
}

/** A copy of something that is not in the list is listed itself. */
function isFolded(one: Ranked, names: ReadonlySet<string>): one is Ranked & { copy_of: string } {
  return one.copy_of !== null && one.copy_of !== one.metric && names.has(one.copy_of);
}

/** The metric that a row is about and that can be labelled or stacked. */
export function rankedIn(row: Row | undefined): Ranked | null {
  return row?.is === 'ranked' || row?.is === 'copy' ? row.ranked : null;
}

/** ".034", "<.001", "1"; as the terminal writes it. */
export function qValue(q: number | null): string {
  if (q === null) return '–';
  if (q < 0.001) return '<.001';
  if (q > 0.995) return '1';
  return q.toFixed(q < 0.0995 ? 3 : 2).replace('0', '');
}
