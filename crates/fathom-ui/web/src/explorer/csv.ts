// The ranking as `fathom explain --format csv` writes it, to the last digit.

import type { End, Explanation, Labels, Ranked } from '../contract';
import { windowsText } from './own_labels';

const HEAD = ['rank', 'metric', 'layer', 'score', 'sign', 'lag_s', 'q_value', 'run', 'copy_of', 'says', 'shape'];
const BARS = '▁▂▃▄▅▆▇█';

/** A row per metric, near copies included. */
export function rankingCsv({ ranking }: Pick<Explanation, 'ranking'>): string {
  return csv([HEAD, ...ranking.map(record)]);
}

/** A row per labelled metric of every selection. Those of earlier versions have no run and no windows. */
export function labelsCsv({ labels, of_windows }: Pick<Labels, 'labels' | 'of_windows'>): string {
  const old = Object.entries(labels).flatMap(([target, own]) =>
    Object.entries(own).map(([metric, label]) => [target, metric, label, '', '']),
  );
  const rows = of_windows.flatMap(({ target, run, windows, labels: own }) =>
    Object.entries(own).map(([metric, label]) => [target, metric, label, run, windowsText(windows)]),
  );
  return csv([['target', 'metric', 'label', 'run', 'windows_s'], ...old, ...rows]);
}

function record(row: Ranked): string[] {
  const { rank, metric, layer, score, sign, lag, q_value, run, copy_of, says, outline } = row;
  return [
    String(rank),
    metric,
    layer,
    number(score),
    String(sign),
    number(lag === null ? null : asTold(lag)),
    number(q_value),
    run,
    copy_of ?? '',
    says,
    sparkline(outline ?? []),
  ];
}

/** The table multiplies nanoseconds where the document divides them: other last digits. */
function asTold(lag: number): number {
  return Math.round(lag * 1e9) * 1e-9;
}

/** The shortest digits that give the number back, without an exponent. */
export function number(value: End | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.slice(0, point).padEnd(point, '0')}${digits.length > point ? `.${digits.slice(point)}` : ''}`;
}

/** A bar per value, blank where there is none. */
export function sparkline(values: readonly (number | null)[]): string {
  const seen = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  // Halves first: the span of large values of both signs would overflow.
  const span = 0.5 * high - 0.5 * low;
  const bar = (value: number | null) => {
    if (value === null) return ' ';
    if (low >= high) return BARS[0];
    const share = span > 0 ? (0.5 * value - 0.5 * low) / span : 0.5;
    return BARS[Math.min(Math.trunc(share * BARS.length), BARS.length - 1)];
  };
  return values.map(bar).join('');
}

/** A line per record; fields that would be misread are quoted, as RFC 4180 says. */
export function csv(records: readonly (readonly string[])[]): string {
  const quoted = (field: string) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  return records.map((record) => `${record.map(guarded).map(quoted).join()}\n`).join('');
}

/** With an apostrophe before what a spreadsheet would take for a formula; numbers stay numbers. As Rust does it. */
function guarded(field: string): string {
  const isNumber = /^\s*[+-](\d+\.?\d*|\.\d+|inf)(e[+-]?\d+)?\s*$/i.test(field);
  return /^'*\s*[=+\-@＝＋－＠]/.test(field) && !isNumber ? `'${field}` : field;
}
