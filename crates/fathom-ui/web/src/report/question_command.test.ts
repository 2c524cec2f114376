import { expect, it } from 'vitest';
import { QUESTION } from './example_report';
import { questionCommand } from './question_command';

it('leaves out what is the default', () => {
  expect(questionCommand('fathom explain t', { ...QUESTION, common: null, windows: [] })).toBe(
    'fathom explain t --target latency --run run-1',
  );
});

it('has everything that was asked', () => {
  const question = {
    ...QUESTION,
    windows: [
      [12, 14.5],
      [20, 0.1 + 0.2],
    ] as [number, number][],
    baseline: [0, 10] as [number, number],
    segments: 3,
    pattern: [
      [12, 1],
      [13, 0.25],
    ] as [number, number][],
    normalise: true,
    penalty: 0.5,
    correlator: 'pearson',
    score_in: 'nearest' as const,
  };
  expect(questionCommand('fathom explain t', question)).toBe(
    'fathom explain t --target latency --run run-1 --window 12s..14.5s --window 20s..0.3s '
      + '--baseline 0s..10s --segments 3 --pattern 12s:1,13s:0.25 --common requests --normalise '
      + '--penalty 0.5 --correlator pearson --score-in nearest',
  );
});

it('quotes names so that a shell reads them as they are', () => {
  const command = questionCommand('fathom explain t', {
    ...QUESTION,
    target: "it's; rm -rf $HOME",
    run: '',
    common: null,
  });
  expect(command).toContain(`--target 'it'"'"'s; rm -rf $HOME' --run ''`);
});

it('gives values that begin with a minus', () => {
  const question = { ...QUESTION, target: '-x y', windows: [[-1, 2]] as [number, number][] };
  expect(questionCommand('fathom explain t', question)).toContain("--target='-x y' --run run-1 --window=-1s..2s");
});
