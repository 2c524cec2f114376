// What is said of an alignment in one line.

import type { Explanation } from '../contract';
import { short } from '../quantity';

const FITS = ['good', 'fair', 'poor'] as const;

/** "8 runs aligned by cpu: 6 good, 1 poor; cost per step 0.03 to 0.2"; nothing for a single run. */
export function alignmentSentence({ alignment, common_metric, runs }: Explanation): string {
  const others = alignment.filter(({ quality }) => quality !== undefined);
  if (runs.length < 2 || others.length === 0) return '';
  const fits = FITS.map((fit) => ({ fit, count: others.filter(({ quality }) => quality?.fit === fit).length }));
  const counts = fits.filter(({ count }) => count > 0).map(({ fit, count }) => `${count} ${fit}`);
  const costs = others.map(({ cost_per_step }) => cost_per_step);
  const [low, high] = [short(Math.min(...costs), 2), short(Math.max(...costs), 2)];
  const cost = low === high ? low : `${low} to ${high}`;
  const by = common_metric === null ? '' : ` by ${common_metric}`;
  return `${runs.length} runs aligned${by}: ${counts.join(', ')}; cost per step ${cost}`;
}
