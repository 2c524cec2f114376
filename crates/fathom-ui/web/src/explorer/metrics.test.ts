import { expect, it } from 'vitest';
import type { Layer, MetricInfo } from '../contract';
import { bestHit, byLayer, found } from './metrics';

const metric = (name: string, layer: Layer, unit = ''): MetricInfo => ({ name, layer, unit, kind: 'gauge', runs: [0] });
const metrics = [
  metric('cpu.10', 'os'),
  metric('cpu.9', 'os'),
  metric('jvm.gc.pause', 'vm', 's'),
  metric('gc', 'application'),
  metric('os.cpu', 'os'),
];

it('a search finds what has all of its words', () => {
  expect(found(metric('jvm.gc.pause', 'vm'), 'PAUSE gc')).toBe(true);
  expect(found(metric('jvm.gc.pause', 'vm'), 'gc cpu')).toBe(false);
  expect(found(metric('faults', 'os'), 'operating')).toBe(true);
  expect(found(metric('anything', 'os'), '  ')).toBe(true);
  expect(found(metric('a.*', 'os'), '.*')).toBe(true);
  expect(found(metric('abc', 'os'), '.*')).toBe(false);
});

it('metrics are listed by layer, numbers by their size', () => {
  const groups = byLayer(metrics, '');
  expect(groups.map(({ layer, total }) => [layer, total])).toEqual([
    ['application', 1],
    ['vm', 1],
    ['os', 3],
  ]);
  expect(groups[2]?.hits.map(({ name }) => name)).toEqual(['cpu.9', 'cpu.10', 'os.cpu']);
  expect(byLayer(metrics, 'pause').map(({ hits }) => hits.length)).toEqual([0, 1, 0]);
});

it('Enter takes the nearest hit', () => {
  expect(bestHit(metrics, 'gc')?.name).toBe('gc');
  expect(bestHit(metrics, 'cpu')?.name).toBe('cpu.9');
  expect(bestHit(metrics, 'nothing')).toBeNull();
});
