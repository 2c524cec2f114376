// Work whose newest result counts.

import { wasAborted } from '../data/live';

/** Starts work and calls off the work before it; what was called off is never heard of again. */
export class Latest {
  #current: AbortController | null = null;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** Calls off what runs or waits. */
  stop(): void {
    clearTimeout(this.#waiting);
    this.#current?.abort();
    this.#current = null;
  }

  /**
   * Runs `work` after this many milliseconds. `heard` wraps what it reports on the way, so that old
   * reports are dropped; its result goes to `done`, its error in words to `failed`.
   */
  start<T>(job: Job<T>, wait = 0): void {
    this.stop();
    const mine = new AbortController();
    this.#current = mine;
    const isNewest = () => this.#current === mine;
    const heard: Heard = (listener) => (value) => {
      if (isNewest()) listener(value);
    };
    const run = async () => {
      try {
        const result = await job.work(mine.signal, heard);
        if (isNewest()) job.done(result);
      } catch (error) {
        if (isNewest() && !wasAborted(error)) job.failed(words(error));
      }
    };
    if (wait > 0) this.#waiting = setTimeout(() => void run(), wait);
    else void run();
  }
}

/** Work that keeps up with a movement: one at a time, and after it the newest question only. */
export class KeepingUp<Q, R> {
  #work: (question: Q) => Promise<R>;
  #done: (result: R | null) => void;
  #next: { question: Q } | null = null;
  #isBusy = false;

  /** `done` has the newest result; `null` if there is none. */
  constructor(work: (question: Q) => Promise<R>, done: (result: R | null) => void) {
    this.#work = work;
    this.#done = done;
  }

  ask(question: Q): void {
    this.#next = { question };
    if (!this.#isBusy) void this.#run();
  }

  /** Nothing is asked any more: what is worked on is not heard of. */
  clear(): void {
    this.#next = null;
    this.#isHeard = false;
    this.#done(null);
  }

  #isHeard = true;

  async #run(): Promise<void> {
    this.#isBusy = true;
    while (this.#next !== null) {
      const { question } = this.#next;
      this.#next = null;
      this.#isHeard = true;
      const result = await this.#work(question).catch(() => null);
      if (this.#isHeard) this.#done(result);
    }
    this.#isBusy = false;
  }
}

export type Heard = <V>(listener: (value: V) => void) => (value: V) => void;

export interface Job<T> {
  work(signal: AbortSignal, heard: Heard): Promise<T>;
  done(result: T): void;
  failed(why: string): void;
}

/** What went wrong, for people. */
export function words(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
