import { expect, it, vi } from 'vitest';
import type { Series } from '../contract';
import type { SeriesQuery } from '../data/source';
import { columnsFor } from './load';
import { Wholes } from './wholes';

const series = { metric: 'ipc' } as Series;

it('a whole is asked for once', async () => {
  const load = vi.fn(() => Promise.resolve(series));
  const wholes = new Wholes();
  await wholes.of(load, { metric: 'ipc', run: 'a', columns: 512 });
  await wholes.of(load, { metric: 'ipc', run: 'a', columns: 512 });
  expect(load).toHaveBeenCalledOnce();
  await wholes.of(load, { metric: 'ipc', run: 'b', columns: 512 });
  expect(load).toHaveBeenCalledTimes(2);
});

it('what failed is asked for again', async () => {
  const load = vi.fn().mockRejectedValueOnce(new Error('gone')).mockResolvedValue(series);
  const wholes = new Wholes();
  await expect(wholes.of(load, { metric: 'ipc', run: 'a', columns: 512 })).rejects.toThrow('gone');
  await expect(wholes.of(load, { metric: 'ipc', run: 'a', columns: 512 })).resolves.toBe(series);
});

it('the oldest is forgotten, not everything', async () => {
  const load = vi.fn(({ metric }: SeriesQuery) => Promise.resolve({ ...series, metric }));
  const wholes = new Wholes();
  for (let n = 0; n <= 400; n += 1) await wholes.of(load, { metric: `m${n}`, run: 'a', columns: 512 });
  await wholes.of(load, { metric: 'm400', run: 'a', columns: 512 });
  await wholes.of(load, { metric: 'm1', run: 'a', columns: 512 });
  expect(load).toHaveBeenCalledTimes(401);
  await wholes.of(load, { metric: 'm0', run: 'a', columns: 512 });
  expect(load).toHaveBeenCalledTimes(402);
});

it('columns come in steps', () => {
  expect([columnsFor(10), columnsFor(256), columnsFor(257), columnsFor(1500)]).toEqual([256, 256, 512, 1536]);
});
