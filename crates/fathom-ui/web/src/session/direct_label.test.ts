import { expect, it } from 'vitest';
import { directLabels } from './direct_label';

it('names beside curves stay inside and off the other curve', () => {
  const [left, right] = directLabels(
    [
      { name: 'b'.repeat(80), series: 2, x: 200, y: 50 },
      { name: 'a', series: 1, x: 100, y: 50 },
    ],
    50,
    300,
  );
  expect(left).toMatchObject({ text: 'a', anchor: 'end', series: 1 });
  expect(right).toMatchObject({ anchor: 'start', series: 2 });
  expect((right?.text.length ?? 99) * 8).toBeLessThanOrEqual(100);
  expect(directLabels([{ name: 'no room', series: 1, x: 299, y: 1 }], 0, 300)).toEqual([]);
});
