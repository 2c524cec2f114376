import { expect, it } from 'vitest';
import { line } from './example_report';
import { storedSeries } from './stored_series';

const whole = line('latency', [0, 10, 20, 30], { low: [0, 0, 1, 2], high: [1, 2, 3, 4] });
const near = line('latency', [10, 11, 12, 13, 14, 15, 16]);
const stored = [near, whole];

it('takes the line that covers most', () => {
  expect(storedSeries(stored, 'run-1', 'latency')).toBe(whole);
  expect(storedSeries(stored, 'run-1', 'latency', 5, 25)?.time).toEqual([0, 10, 20, 30]);
});

it('takes the finest of those that cover all of it', () => {
  expect(storedSeries(stored, 'run-1', 'latency', 12, 14)?.time).toEqual([11, 12, 13, 14, 15]);
  expect(storedSeries([whole, near], 'run-1', 'latency', 12, 14)?.time).toHaveLength(5);
});

it('cuts bounds along with values', () => {
  const found = storedSeries([whole], 'run-1', 'latency', 12, 14)!;
  expect(found).toMatchObject({ time: [10, 20], values: [1, 2], low: [0, 1], high: [2, 3] });
  expect([found.start, found.end, found.rows]).toEqual([0, 30, 3000]);
});

it('has nothing of what was not put in', () => {
  expect(storedSeries(stored, 'run-2', 'latency')).toBeNull();
  expect(storedSeries(stored, 'run-1', 'idle')).toBeNull();
});

it('shows the edge where the time asked for is beyond the metric', () => {
  expect(storedSeries([whole], 'run-1', 'latency', 40, 50)?.time).toEqual([30]);
});
