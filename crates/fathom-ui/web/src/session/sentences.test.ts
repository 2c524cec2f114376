import { expect, it } from 'vitest';
import { sentences } from './sentences';
import type { SessionView } from '../contract';

function view(sentence: string, compared: string[], measured: string[]): SessionView {
  return {
    verdict: { sentence, tone: 'plain' },
    comparisons: compared.map((one) => ({ sentence: one })),
    subjects: measured.map((one) => ({ sentence: one })),
  } as unknown as SessionView;
}

it('each subject has its line, whatever it is called', () => {
  expect(sentences(view('a. b is 1. c.', ['a. b is 1.', 'c.'], []))).toEqual(['a. b is 1.', 'c.']);
  expect(sentences(view('x. y.', [], ['x.', 'y.']))).toEqual(['x.', 'y.']);
});

it('what is not made of them stays whole', () => {
  expect(sentences(view('All are the same.', ['a.', 'b.'], ['c.', 'd.']))).toEqual(['All are the same.']);
  expect(sentences(view('One.', ['One.'], []))).toEqual(['One.']);
});
