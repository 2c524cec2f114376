// How the explorer's window is divided: sizes of panes, and which are folded. They depend on the screen, so they are
// kept in the browser and not in the address.

/** Panes that can be folded. */
export const PANES = ['metrics', 'ranking', 'runs', 'stack'] as const;
export type PaneName = (typeof PANES)[number];

/** Boundaries between panes that can be moved. */
export interface Sizes {
  /** Width of the list of metrics, in pixels. */
  metrics: number;
  /** The ranking's share of the width next to the charts. */
  ranking: number;
  /** The target's share of the height of the charts. */
  target: number;
  /** Height of the runs in pixels; null: as much as they need, up to a share of the window. */
  runs: number | null;
}
export type SizeName = keyof Sizes;

/** Whether runs are drawn on the target's time, or each on its own. */
export type RunTime = 'target' | 'own';

export interface Layout {
  sizes: Sizes;
  folded: PaneName[];
  runTime: RunTime;
}

export const USUAL: Layout = {
  sizes: { metrics: 200, ranking: 0.44, target: 0.38, runs: null },
  folded: [],
  runTime: 'target',
};

/** How far each boundary can be moved. */
export const LIMITS: Record<SizeName, [least: number, most: number]> = {
  metrics: [130, 600],
  ranking: [0.2, 0.75],
  target: [0.15, 0.8],
  runs: [42, 800],
};

/** With a boundary elsewhere, as far as it can be moved. */
export function resized(layout: Layout, name: SizeName, to: number): Layout {
  if (!Number.isFinite(to)) return layout;
  const [least, most] = LIMITS[name];
  return { ...layout, sizes: { ...layout.sizes, [name]: Math.min(Math.max(to, least), most) } };
}

/** With a boundary where it is for those who never moved it. */
export function reset(layout: Layout, name: SizeName): Layout {
  return { ...layout, sizes: { ...layout.sizes, [name]: USUAL.sizes[name] } };
}

/** With a pane folded, or unfolded if it was. */
export function toggled(layout: Layout, pane: PaneName): Layout {
  const others = layout.folded.filter((one) => one !== pane);
  return { ...layout, folded: others.length < layout.folded.length ? others : [...others, pane] };
}

/** As it is kept. */
export function written(layout: Layout): string {
  return JSON.stringify(layout);
}

/** What was kept, as far as it makes sense. */
export function read(text: string | null): Layout {
  const kept = parsed(text);
  const sizes = record(kept['sizes']);
  let layout = USUAL;
  for (const name of Object.keys(LIMITS) as SizeName[]) {
    const size = sizes[name];
    if (typeof size === 'number') layout = resized(layout, name, size);
  }
  const folded = Array.isArray(kept['folded']) ? kept['folded'] : [];
  return {
    ...layout,
    folded: PANES.filter((pane) => folded.includes(pane)),
    runTime: kept['runTime'] === 'own' ? 'own' : 'target',
  };
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    return record(JSON.parse(text ?? 'null'));
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
