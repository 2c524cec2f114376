// Whether two questions are the same one.

import type { Question, SessionOptions } from '../contract';

/** Numbers that went through an address or a slider are not the same to the last bit. */
const CLOSE = 1e-9;

/** What a question is about, apart from how metrics are ranked. */
export function isSameSelection(one: Question, other: Question): boolean {
  const part = ({ correlator: _, ...rest }: Question) => rest;
  return isSame(part(one), part(other));
}

/** What runs are aligned by. */
export function isSameAlignment(
  one: Pick<Question, 'run' | 'target' | 'common' | 'normalise' | 'penalty'>,
  other: Question,
): boolean {
  return (
    one.run === other.run
    && one.target === other.target
    && one.common === other.common
    && one.normalise === other.normalise
    && isSame(one.penalty, other.penalty)
  );
}

export function isSameOptions(one: SessionOptions, other: SessionOptions): boolean {
  return isSame(one, other);
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= CLOSE * Math.max(1, Math.abs(one), Math.abs(other));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, n) => isSame(item, other[n]));
  }
  if (isRecord(one) && isRecord(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...keys].every((key) => isSame(one[key], other[key]));
  }
  return one === other;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
