import { describe, expect, it } from 'vitest';
import { agreement, agreements, midRanks } from './agreement';
import type { Label, Ranked } from './contract';

const letters: Record<string, Label> = { y: 'yes', m: 'maybe', n: 'no' };
const labels = (text: string): Label[] => [...text].map((one) => letters[one] ?? 'maybe');

/** Pearson's coefficient of mid-ranks, each rank counted the long way. */
function spearman(x: number[], y: number[]): number {
  const rank = (all: number[]) =>
    all.map((one) => all.filter((o) => o < one).length + (all.filter((o) => o === one).length + 1) / 2);
  const [a, b] = [rank(x), rank(y)];
  const mean = (v: number[]) => v.reduce((s, one) => s + one, 0) / v.length;
  const dot = (v: number[], w: number[]) => v.reduce((s, one, i) => s + (one - mean(v)) * ((w[i] ?? NaN) - mean(w)), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function permutations(n: number): number[][] {
  if (n === 0) return [[]];
  return permutations(n - 1).flatMap((one) =>
    Array.from({ length: n }, (_, place) => [...one.slice(0, place), n, ...one.slice(place)]),
  );
}

/** The paper's divisor: sqrt(1 - sum(t^3 - t) / (n^3 - n)). */
function divisor(given: Label[]): number {
  const n = given.length;
  const sizes = (['yes', 'maybe', 'no'] as const).map((one) => given.filter((o) => o === one).length);
  return Math.sqrt(1 - sizes.reduce((sum, t) => sum + t ** 3 - t, 0) / (n ** 3 - n));
}

const places = (given: Label[]) => given.map((one) => ({ yes: 1, maybe: 2, no: 3 })[one]);

describe('mid-ranks', () => {
  it('share the middle of their places', () => {
    expect(midRanks([30, 10, 20])).toEqual([3, 1, 2]);
    expect(midRanks([5, 5, 1, 5])).toEqual([3, 3, 1, 3]);
    expect(midRanks([Infinity, 2, Infinity])).toEqual([2.5, 1, 2.5]);
    expect(midRanks([])).toEqual([]);
  });
});

describe('agreement', () => {
  it('has closed forms', () => {
    expect(agreement(labels('ymn'), [1, 2, 3])).toBe(1);
    expect(agreement(labels('ymn'), [3, 2, 1])).toBe(-1);
    // Of one yes among n, at place r: 1 - 2 (r - 1) / (n - 1).
    for (const r of [1, 2, 3, 4, 5]) {
      const ranks = [r, ...[1, 2, 3, 4, 5].filter((one) => one !== r)];
      expect(agreement(labels('ynnnn'), ranks)).toBeCloseTo(1 - (2 * (r - 1)) / 4, 12);
    }
  });

  it('is the quotient of the paper, whose divisor no order exceeds', () => {
    for (const text of ['yn', 'yynn', 'ymn', 'yymnn', 'ynnnn', 'yymmnn', 'ymmmmn']) {
      const given = labels(text);
      const all = permutations(given.length);
      const plain = all.map((ranks) => spearman(places(given), ranks));
      expect(Math.max(...plain)).toBeCloseTo(divisor(given), 12);
      all.forEach((ranks, index) => {
        const quotient = (plain[index] ?? NaN) / divisor(given);
        expect(agreement(given, ranks)).toBeCloseTo(quotient, 10);
      });
    }
  });

  it('of ties is the mean over the ways to break them', () => {
    const given = labels('ynmyn');
    const tied = [1, Infinity, 2, Infinity, Infinity];
    const ways = permutations(3).map((last) => {
      const rest = last.map((one) => one + 2);
      return agreement(given, [1, rest[0] ?? 0, 2, rest[1] ?? 0, rest[2] ?? 0]) ?? NaN;
    });
    const mean = ways.reduce((sum, one) => sum + one, 0) / ways.length;
    expect(agreement(given, tied)).toBeCloseTo(mean, 12);
  });

  it('is not said where nothing can be told apart', () => {
    expect(agreement(labels('yyy'), [1, 2, 3])).toBeNull();
    expect(agreement(labels('yn'), [Infinity, Infinity])).toBeNull();
    expect(agreement([], [])).toBeNull();
  });
});

describe('agreements', () => {
  const row = (metric: string, pearson: number | null, change: number): Ranked => ({
    rank: change,
    metric,
    layer: 'os',
    unit: '',
    score: 1,
    sign: 0,
    lag: null,
    p_value: null,
    q_value: null,
    ranked_by: null,
    change: null,
    shape: null,
    correlators: {
      ...(pearson === null ? {} : { pearson: { score: 1, rank: pearson, sign: 0 } }),
      change: { score: 1, rank: change, sign: 0 },
    },
    run: 'a',
    scored_in_runs: 1,
    same_sign_in_runs: 1,
    copy_of: null,
    derived: null,
    random_walk: false,
    says: '',
  });
  const ranking = [row('a', 9, 1), row('b', 3, 2), row('c', null, 3), row('constructor', 1, 4)];

  it('count labelled metrics only, best correlator first', () => {
    const found = agreements(ranking, { a: 'yes', c: 'no', gone: 'yes' }, ['pearson', 'change', 'silent']);
    expect(found?.counts).toEqual({ yes: 1, maybe: 0, no: 1 });
    expect(found?.correlators).toEqual([
      { correlator: 'pearson', value: 1, ranked: 1 },
      { correlator: 'change', value: 1, ranked: 2 },
      { correlator: 'silent', value: null, ranked: 0 },
    ]);
    const against = agreements(ranking, { a: 'no', b: 'yes' }, ['change', 'pearson']);
    expect(against?.correlators.map((one) => one.value)).toEqual([1, -1]);
  });

  it('wait for a yes and a no', () => {
    expect(agreements(ranking, { a: 'yes', b: 'maybe' }, ['pearson'])).toBeNull();
    expect(agreements(ranking, {}, ['pearson'])).toBeNull();
  });
});
