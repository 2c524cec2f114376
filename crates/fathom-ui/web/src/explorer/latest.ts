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
