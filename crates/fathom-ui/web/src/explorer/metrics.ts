// The metrics by layer, and those that a search finds.

import type { Layer, MetricInfo } from '../contract';

/** From the top of the stack down, as people look. */
export const LAYERS: readonly Layer[] = ['application', 'vm', 'os', 'hardware'];

export const LAYER_NAMES: Record<Layer, string> = {
  application: 'application',
  vm: 'virtual machine',
  os: 'operating system',
  hardware: 'hardware',
};

/** For narrow columns. */
export const LAYER_SHORT: Record<Layer, string> = {
  application: 'app',
  vm: 'vm',
  os: 'os',
  hardware: 'hw',
};

/** Whether all words occur, in whatever order and case; layers and units are searched, too. */
export function found(metric: MetricInfo, search: string): boolean {
  const text = `${metric.name} ${metric.layer} ${LAYER_NAMES[metric.layer]} ${metric.unit}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const { compare } = new Intl.Collator('en', { numeric: true });

/** How good a hit is; less is better. A name that starts with the search comes before others. */
function distance(metric: MetricInfo, search: string): number {
  const [name, wanted] = [metric.name.toLowerCase(), search.trim().toLowerCase()];
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : 3;
}

export interface LayerGroup {
  layer: Layer;
  /** Of the layer. */
  total: number;
  hits: MetricInfo[];
}

/** Layers that have metrics, with the hits of the search in order of name, numbers by their size. */
export function byLayer(metrics: readonly MetricInfo[], search: string): LayerGroup[] {
  return LAYERS.map((layer) => {
    const own = metrics.filter((metric) => metric.layer === layer);
    const hits = own.filter((metric) => found(metric, search));
    hits.sort((a, b) => distance(a, search) - distance(b, search) || compare(a.name, b.name));
    return { layer, total: own.length, hits };
  }).filter(({ total }) => total > 0);
}

/** The hit that Enter takes. */
export function bestHit(metrics: readonly MetricInfo[], search: string): MetricInfo | null {
  const hits = byLayer(metrics, search).flatMap((group) => group.hits);
  return hits.sort((a, b) => distance(a, search) - distance(b, search))[0] ?? null;
}
