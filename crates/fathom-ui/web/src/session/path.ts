// Outlines for SVG. Places that are not numbers leave a gap.

const DECIMALS = 10;

/** Tenths of a pixel: sharper than eyes, and short. */
function px(place: number): number {
  return Math.round(place * DECIMALS) / DECIMALS;
}

/** A line from point to point. */
export function line(xs: readonly number[], ys: readonly number[]): string {
  let path = '';
  let drawing = false;
  xs.forEach((x, index) => {
    const y = ys[index] ?? NaN;
    if (!Number.isFinite(x) || !Number.isFinite(y)) {
      drawing = false;
      return;
    }
    path += `${drawing ? 'L' : 'M'}${px(x)} ${px(y)}`;
    drawing = true;
  });
  return path;
}

/** Stairs: each height holds from its place to the next one, the last one to `end`. */
export function stairs(xs: readonly number[], ys: readonly number[], end: number): string {
  let path = '';
  xs.forEach((x, index) => {
    const y = ys[index] ?? NaN;
    path += `${index === 0 ? `M${px(x)} ${px(y)}` : `V${px(y)}`}H${px(xs[index + 1] ?? end)}`;
  });
  return path;
}

/** The area between two lines; where either has a gap, so has the area. */
export function band(xs: readonly number[], lower: readonly number[], upper: readonly number[]): string {
  let path = '';
  let run: number[] = [];
  const close = (): void => {
    if (run.length > 1) {
      const there = run.map((index) => `${px(xs[index] ?? NaN)} ${px(upper[index] ?? NaN)}`);
      const back = run.map((index) => `${px(xs[index] ?? NaN)} ${px(lower[index] ?? NaN)}`).reverse();
      path += `M${there.join('L')}L${back.join('L')}Z`;
    }
    run = [];
  };
  xs.forEach((x, index) => {
    if ([x, lower[index], upper[index]].every(Number.isFinite)) run.push(index);
    else close();
  });
  close();
  return path;
}

/** The area between two stairs. */
export function stairsBand(
  xs: readonly number[],
  lower: readonly number[],
  upper: readonly number[],
  end: number,
): string {
  if (xs.length === 0) return '';
  const corners = (ys: readonly number[]): string[] =>
    xs.flatMap((x, index) => {
      const y = px(ys[index] ?? NaN);
      return [`${px(x)} ${y}`, `${px(xs[index + 1] ?? end)} ${y}`];
    });
  return `M${corners(upper).join('L')}L${corners(lower).reverse().join('L')}Z`;
}

export interface Point {
  x: number;
  y: number;
}

/** Points of no length: a round stroke makes them dots. One path for thousands of them. */
export function dots(points: readonly Point[]): string {
  return points.map(({ x, y }) => `M${px(x)} ${px(y)}h0`).join('');
}

export function rings(points: readonly Point[], radius: number): string {
  const half = `a${radius} ${radius} 0 1 0`;
  return points
    .map(({ x, y }) => `M${px(x - radius)} ${px(y)}${half} ${2 * radius} 0${half} ${-2 * radius} 0`)
    .join('');
}

export function crosses(points: readonly Point[], radius: number): string {
  const full = 2 * radius;
  return points
    .map(({ x, y }) => `M${px(x - radius)} ${px(y - radius)}l${full} ${full}m0 ${-full}l${-full} ${full}`)
    .join('');
}

/** Arrowheads whose tip is the point. */
export function arrowheads(points: readonly Point[], towards: 'up' | 'down' | 'left' | 'right', size: number): string {
  const across = towards === 'up' || towards === 'down';
  const back = towards === 'up' || towards === 'left' ? size : -size;
  const wing = size * 0.7;
  return points
    .map(({ x, y }) =>
      across
        ? `M${px(x)} ${px(y)}l${px(wing)} ${back}h${px(-2 * wing)}Z`
        : `M${px(x)} ${px(y)}l${back} ${px(wing)}v${px(-2 * wing)}Z`,
    )
    .join('');
}

/** Of each row of trues its middle. */
export function middlesOfRuns(flags: readonly boolean[]): number[] {
  const middles: number[] = [];
  let start = -1;
  for (let place = 0; place <= flags.length; place += 1) {
    if (flags[place] && start < 0) start = place;
    else if (!flags[place] && start >= 0) {
      middles.push(Math.floor((start + place - 1) / 2));
      start = -1;
    }
  }
  return middles;
}

/** Which of the points is closest; by `x` alone where a column is meant. */
export function closest(points: readonly Point[], to: Point, by: 'x' | 'both'): number | null {
  let best: number | null = null;
  let least = Infinity;
  points.forEach(({ x, y }, index) => {
    const away = by === 'x' ? Math.abs(x - to.x) : (x - to.x) ** 2 + (y - to.y) ** 2;
    if (away < least) {
      least = away;
      best = index;
    }
  });
  return best;
}
