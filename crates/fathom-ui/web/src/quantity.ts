// Numbers for axes and lists: few digits, the unit that fits.

const PREFIXES: [number, string][] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
  [1, ''],
  [1e-3, 'm'],
  [1e-6, 'µ'],
  [1e-9, 'n'],
];
const BYTES: [number, string][] = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
  [1, 'B'],
];

/** What a unit of time is in seconds; seconds themselves scale as they are. */
const TIMES: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3 };

export interface Scaled {
  /** Values are divided by this. */
  by: number;
  /** What is written after them, without a space; may be empty. */
  unit: string;
}

/** The scale for values of up to this size. */
export function scale(unit: string, largest: number): Scaled {
  const size = Math.abs(largest);
  if (!(size > 0) || !Number.isFinite(size)) return { by: 1, unit };
  // 5e6 ns/s are 5 ms/s: a rate of times and of bytes is in the unit that fits them, not in Mns/s.
  const rate = unit.endsWith('/s') ? unit.slice(0, -2) : '';
  const inSeconds = TIMES[rate || unit];
  if (inSeconds !== undefined) {
    const fit = scale('s', size * inSeconds);
    // Without what dividing by 1e-9 leaves behind: labels are multiples of this.
    const by = Number((fit.by / inSeconds).toPrecision(12));
    return { by, unit: rate ? `${fit.unit}/s` : fit.unit };
  }
  if (unit === 'B' || unit === 'bytes') {
    const [by, name] = BYTES.find(([least]) => size >= least) ?? [1, 'B'];
    return { by, unit: name };
  }
  const scalable = unit === 's' || unit === 'Hz' || unit === 'B/s';
  const all = unit === 's' ? PREFIXES.filter(([by]) => by <= 1) : PREFIXES;
  if (!scalable && size < 1e5 && size >= 1e-3) return { by: 1, unit };
  const [by, prefix] = all.find(([least]) => size >= least) ?? all[all.length - 1] ?? [1, ''];
  return { by, unit: prefix + unit };
}

/** Round numbers from lowest to highest, about this many. */
export function ticks(low: number, high: number, about: number): number[] {
  if (!(high > low) || !Number.isFinite(high - low)) return [low];
  const raw = (high - low) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= raw * (1 - 1e-9)) ?? raw;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
}

/** As few digits as tell neighbours `step` apart. */
export function digits(value: number, step: number): string {
  const decimals = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return (value === 0 ? 0 : value).toFixed(decimals);
}

/** So many significant digits, without exponents where they can be avoided. */
export function short(value: number, significant = 3): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(significant - 1);
  const decimals = Math.max(0, significant - 1 - Math.floor(Math.log10(size)));
  const text = value.toFixed(Math.min(decimals, 8));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** "12.4 ms", "3.1 MiB", "812". */
export function withUnit(value: number, unit: string): string {
  const { by, unit: name } = scale(unit, value);
  return name ? `${short(value / by)} ${name}` : short(value / by);
}

/** "12.4 s", "350 ms". */
export function seconds(value: number): string {
  return withUnit(value, 's');
}
