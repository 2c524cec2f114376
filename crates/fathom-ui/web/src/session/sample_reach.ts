// How high the chart of samples is: outliers must be seen, but not flatten the rest.

import type { SubjectView } from '../contract';
import { reachOf } from './axis';
import type { Axis, Reach } from './axis';

type Samples = SubjectView['samples'];

/** How many times the span of the samples that count may be added on either side. */
const ROOM = 4;

/** All samples, unless some lie so far out that those that count would be flat. */
export function sampleReach({ values, label }: Samples, kind: Axis['kind']): Reach | null {
  const usable = (value: number): boolean => kind === 'linear' || value > 0;
  const shown = values.filter(usable);
  if (kind === 'log') {
    const logs = reachOf(shown.map(Math.log));
    return logs && [Math.exp(logs[0]), Math.exp(logs[1])];
  }
  const counting = reachOf(
    values.filter((_, index) => label[index] === 'counts'),
    0,
  );
  if (!counting) return reachOf(shown);
  const [low, high] = counting;
  const room = (high - low) * ROOM;
  return reachOf(shown.map((value) => Math.min(high + room, Math.max(low - room, value))));
}
