import { describe, expect, it } from 'vitest';
import { fineStep, spanLabel, timeLabel, timeTicks } from './time';

describe('times', () => {
  it('are seconds in short runs', () => {
    expect(timeLabel(12.4, 0.1, [0, 60])).toBe('12.4 s');
    expect(timeLabel(10, 10, [0, 60])).toBe('10 s');
    expect(timeLabel(0.35, 0.01, [0, 0.5])).toBe('350 ms');
  });

  it('are minutes in long ones, and hours in longer ones', () => {
    expect(timeLabel(187, 1, [0, 600])).toBe('3:07');
    expect(timeLabel(187.25, 0.01, [187, 188])).toBe('3:07.25');
    expect(timeLabel(3661, 1, [0, 7200])).toBe('1:01:01');
    expect(timeLabel(-187, 1, [-600, 0])).toBe('−3:07');
  });

  it('are carried over when they are rounded', () => {
    expect(timeLabel(59.97, 1, [0, 600])).toBe('1:00');
    expect(timeLabel(3599.99, 0.1, [0, 7200])).toBe('1:00:00.0');
  });

  it('of a stretch name their unit once', () => {
    expect(spanLabel([12.4, 14.1], 0.1, [0, 60])).toBe('12.4–14.1 s');
    expect(spanLabel([60, 75], 1, [0, 600])).toBe('1:00–1:15');
  });

  it('are marked at round ones', () => {
    expect(timeTicks([0, 60], 6)).toEqual([0, 10, 20, 30, 40, 50, 60]);
    expect(timeTicks([0, 600], 8)).toEqual([0, 120, 240, 360, 480, 600]);
    expect(timeTicks([0, 240], 12)).toHaveLength(9);
    expect(timeTicks([200.0, 200.5], 5)).toHaveLength(6);
  });

  it('are told apart by a thousandth of what is seen', () => {
    expect(timeLabel(12.3456, fineStep([0, 60]), [0, 60])).toBe('12.35 s');
  });
});
