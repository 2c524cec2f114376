import { describe, expect, it } from 'vitest';
import { runName } from './run_name';

describe('a run', () => {
  it('is not called run twice', () => {
    expect([runName('3'), runName('run-3'), runName('Run 4')]).toEqual(['run 3', 'run-3', 'Run 4']);
  });
});
