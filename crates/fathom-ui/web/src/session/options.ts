// What can be switched, as the switches and the address bar write it.

import type { SessionOptions } from '../contract';

export const OUTLIERS = ['flag', 'remove', 'keep'] as const;
export const OUTLIER_METHODS = ['simplified', 'full', 'tukey', 'mad', 'adjusted-boxplot'] as const;
export const STATISTICS = ['median', 'mean', 'p90', 'p99'] as const;
export const CONFIDENCES = [0.9, 0.95, 0.99] as const;

export type OptionName = keyof SessionOptions;

/** What was understood, or why not. */
export type Parsed<T> = { value: T } | { problem: string };

/** "99.5", "99.5%" and "0.995" are the same. */
export function parseConfidence(text: string): Parsed<number> {
  const trimmed = text.trim();
  const bare = trimmed.replace(/\s*%$/u, '').replace(',', '.');
  const number = bare === '' ? NaN : Number(bare);
  const isShare = number < 1 && !trimmed.endsWith('%');
  // Twelve digits, so that 99.9 does not become 0.9990000000000001.
  const share = isShare ? number : Number((number / 100).toPrecision(12));
  if (share >= 0.5 && share < 1) return { value: share };
  const what = trimmed === '' ? 'the field is empty' : `found “${trimmed}”`;
  return { problem: `The confidence must be at least 50% and below 100%, such as 99.9; ${what}.` };
}

/** How many samples are skipped. */
export function parseSkipped(text: string): Parsed<number> {
  const trimmed = text.trim();
  const number = trimmed === '' ? NaN : Number(trimmed);
  if (Number.isSafeInteger(number) && number >= 0) return { value: number };
  const what = trimmed === '' ? 'the field is empty' : `found “${trimmed}”`;
  return { problem: `The number of samples to skip must be a whole number, such as 100; ${what}.` };
}

/** The option after this one, for keys; a value that is not among them goes to the first. */
export function after<T>(all: readonly T[], now: T): T {
  const next = all[(all.indexOf(now) + 1) % all.length];
  return next === undefined ? now : next;
}

/** Which option an answer failed for: the one that was switched last, if it is among the changed. */
export function blamed(wish: SessionOptions, shown: SessionOptions, switched: OptionName | null): OptionName {
  const changed = (Object.keys(wish) as OptionName[]).filter((name) => wish[name] !== shown[name]);
  return changed.find((name) => name === switched) ?? changed[0] ?? 'confidence';
}

export function same(one: SessionOptions, other: SessionOptions): boolean {
  return (
    one.confidence === other.confidence
    && one.outliers === other.outliers
    && one.outlier_method === other.outlier_method
    && one.steady_state === other.steady_state
    && one.statistic === other.statistic
  );
}
