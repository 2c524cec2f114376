import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Answer, Question, Said } from '../contract';
import type { DataSource } from '../data/source';
import { Asking } from './asking.svelte';

const question = (target: string): Question => ({
  target,
  run: 'a',
  windows: [[1, 2]],
  baseline: null,
  segments: 'auto',
  pattern: null,
  common: null,
  normalise: false,
  penalty: 0,
  correlator: 'combined',
  score_in: 'every',
});
const answer = (sentence: string, provisional = false) =>
  ({ type: 'ranking', provisional, sentence }) as Extract<Said, { type: 'ranking' }>;

interface Call {
  question: Question;
  on: (said: Said) => void;
  signal: AbortSignal | undefined;
  end: () => void;
  fail: (error: unknown) => void;
}

function setUp() {
  const calls: Call[] = [];
  const explain: DataSource['explain'] = (asked, on, signal) =>
    new Promise((end, fail) => calls.push({ question: asked, on, signal, end, fail }));
  const asking = new Asking({ explain } as Partial<DataSource> as DataSource);
  const call = (n: number): Call => calls[n] ?? expect.fail(`question ${n} was not asked`);
  return { asking, calls, call };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('asking', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('waits for the brush to rest', async () => {
    const { asking, calls, call } = setUp();
    for (const target of ['a', 'b', 'c']) {
      asking.ask(question(target), false);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(calls).toHaveLength(0);
    expect(asking.busy).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(calls).toHaveLength(1);
    expect(call(0).question.target).toBe('c');
    asking.ask(question('d'), true);
    expect(call(1).question.target).toBe('d');
  });

  it('calls off the last question as soon as the brush moves', () => {
    const { asking, call } = setUp();
    asking.ask(question('a'), true);
    expect(call(0).signal?.aborted).toBe(false);
    asking.ask(question('b'), false);
    expect(call(0).signal?.aborted).toBe(true);
  });

  it('never shows an older answer over a newer one', async () => {
    const { asking, call } = setUp();
    asking.ask(question('a'), true);
    asking.ask(question('b'), true);
    call(1).on(answer('new'));
    // A source that does not heed the signal.
    call(0).on({ type: 'progress', stage: 'scoring', done: 1, of: 2 });
    call(0).on(answer('old'));
    call(0).on({ type: 'error', message: 'old trouble' });
    call(0).fail(new Error('old failure'));
    await settled();
    expect(asking.answer?.sentence).toBe('new');
    expect(asking.error).toBeNull();
    expect(asking.progress).toBeNull();
    expect(asking.busy).toBe(true);
    call(1).end();
    await settled();
    expect(asking.busy).toBe(false);
    expect(asking.answer?.sentence).toBe('new');
  });

  it('shows what is provisional until the whole answer is there', async () => {
    const { asking, call } = setUp();
    asking.ask(question('a'), true);
    call(0).on({ type: 'progress', stage: 'aligning', done: 1, of: 2 });
    expect(asking.progress).toEqual({ type: 'progress', stage: 'aligning', done: 1, of: 2 });
    call(0).on(answer('first', true));
    expect([asking.answer?.provisional, asking.busy]).toEqual([true, true]);
    call(0).on(answer('whole'));
    call(0).end();
    await settled();
    expect([asking.answer?.provisional, asking.busy, asking.answer?.sentence]).toEqual([false, false, 'whole']);
  });

  it('marks the last answer as old while the next is made', () => {
    const { asking, call } = setUp();
    asking.know({ sentence: 'known' } as Answer);
    expect(asking.stale).toBe(false);
    asking.ask(question('a'), true);
    expect([asking.answer?.sentence, asking.stale]).toEqual(['known', true]);
    call(0).on(answer('next', true));
    expect(asking.stale).toBe(false);
  });

  it('says what failed', async () => {
    const { asking, call } = setUp();
    asking.ask(question('a'), true);
    call(0).on({ type: 'error', message: 'the window has no row' });
    call(0).end();
    await settled();
    expect([asking.error, asking.busy, asking.answer]).toEqual(['the window has no row', false, null]);
    asking.ask(question('a'), true);
    call(1).fail(new Error('the program is gone'));
    await settled();
    expect(asking.error).toBe('the program is gone');
    asking.ask(question('a'), true);
    call(2).end();
    await settled();
    expect(asking.error).toContain('cut off');
  });

  it('says nothing of what it called off itself', async () => {
    const { asking, call } = setUp();
    asking.ask(question('a'), true);
    asking.clear();
    call(0).fail(new DOMException('stopped', 'AbortError'));
    call(0).on(answer('late'));
    await settled();
    expect([asking.error, asking.busy, asking.answer]).toEqual([null, false, null]);
  });
});
