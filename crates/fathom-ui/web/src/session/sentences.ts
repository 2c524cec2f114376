// The answer, a line for each of its sentences.

import type { SessionView } from '../contract';

/**
 * The verdict of several subjects is what is said of each, one after the other; names may have any
 * letters in them, so only the sentences themselves tell where one ends.
 */
export function sentences({ verdict, comparisons, subjects }: SessionView): string[] {
  for (const all of [comparisons, subjects]) {
    const each = all.map(({ sentence }) => sentence);
    if (each.length > 1 && each.join(' ') === verdict.sentence) return each;
  }
  return [verdict.sentence];
}
