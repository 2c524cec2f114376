import { describe, expect, test } from 'vitest';
import { LIMITS, read, reset, resized, toggled, USUAL, written } from './layout';

describe('the layout', () => {
  test('is read as it was written', () => {
    const layout = toggled(resized(resized(USUAL, 'metrics', 300), 'runs', 120), 'stack');
    expect(read(written({ ...layout, runTime: 'own' }))).toEqual({ ...layout, runTime: 'own' });
  });

  test('keeps boundaries in sight', () => {
    expect(resized(USUAL, 'ranking', 7).sizes.ranking).toBe(LIMITS.ranking[1]);
    expect(resized(USUAL, 'ranking', -7).sizes.ranking).toBe(LIMITS.ranking[0]);
    expect(resized(USUAL, 'ranking', NaN)).toEqual(USUAL);
    expect(reset(resized(USUAL, 'runs', 99), 'runs')).toEqual(USUAL);
  });

  test('folds a pane, and unfolds it', () => {
    const folded = toggled(USUAL, 'runs');
    expect(folded.folded).toEqual(['runs']);
    expect(toggled(folded, 'runs')).toEqual(USUAL);
  });

  test.each([
    null,
    '',
    'null',
    '[]',
    '7',
    '{"sizes":7}',
    '{"sizes":{"metrics":"wide","ranking":null}}',
    '{"folded":["all"]}',
    '{',
  ])('is the usual one if what was kept is %s', (text) => expect(read(text)).toEqual(USUAL));

  test('takes what makes sense of what was kept', () => {
    const kept = read('{"sizes":{"metrics":1e9,"target":0.5,"other":3},"folded":["stack","x"],"runTime":"x"}');
    expect(kept.sizes).toEqual({ ...USUAL.sizes, metrics: LIMITS.metrics[1], target: 0.5 });
    expect(kept.folded).toEqual(['stack']);
    expect(kept.runTime).toBe('target');
  });
});
