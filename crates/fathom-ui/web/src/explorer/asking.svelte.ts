// A question on its way, and the newest answer.

import type { Answer, Question, Said } from '../contract';
import type { DataSource } from '../data/source';
import { Latest } from './latest';

/** While the brush moves, questions wait for it to rest this long. */
const REST_MS = 140;

export type Progress = Extract<Said, { type: 'progress' }>;

export class Asking {
  /** The last answer; of an older question while `busy`. */
  answer = $state.raw<Answer | null>(null);
  progress = $state.raw<Progress | null>(null);
  /** Why there is no answer. */
  error = $state<string | null>(null);
  busy = $state(false);
  /** Whether the question waits for the brush to rest. */
  waits = false;
  /** Whether the answer shown is of another question than the one asked. */
  stale = $state(false);

  /** Whether work on the question was called off, and which. */
  cancelled = $state.raw<Question | null>(null);

  #source: DataSource;
  #latest = new Latest();
  #question: Question | null = null;

  constructor(source: DataSource) {
    this.#source = source;
  }

  /** Asks once the brush has rested, or at once; what was asked before is called off at once. */
  ask(question: Question, resting: boolean): void {
    this.#question = question;
    this.cancelled = null;
    this.busy = true;
    this.waits = !resting;
    this.stale = this.answer !== null;
    this.progress = null;
    this.error = null;
    let answered = false;
    this.#latest.start<void>(
      {
        work: (signal, heard) => {
          this.waits = false;
          const hear = heard<Said>((said) => {
            if (said.type === 'ranking') answered = true;
            this.#hear(said);
          });
          return this.#source.explain(question, hear, signal);
        },
        done: () => {
          this.#rest();
          if (!answered && this.error === null) this.#fail('The answer was cut off. Try again.');
        },
        failed: (why) => this.#fail(why),
      },
      resting ? 0 : REST_MS,
    );
  }

  /** Calls off what is worked on; what is known of it stays, an answer to something else goes. */
  cancel(): void {
    if (!this.busy) return;
    this.#latest.stop();
    if (this.stale) this.answer = null;
    this.#rest();
    this.cancelled = this.#question;
  }

  /** Asks again what was called off. */
  again(): void {
    if (this.cancelled) this.ask(this.cancelled, true);
  }

  /** Nothing is asked any more. */
  clear(): void {
    this.#latest.stop();
    this.#rest();
    this.cancelled = null;
    this.answer = null;
    this.error = null;
  }

  /** An answer that was known before. */
  know(answer: Answer): void {
    this.clear();
    this.answer = answer;
  }

  #hear(said: Said): void {
    switch (said.type) {
      case 'progress':
        this.progress = said;
        return;
      case 'ranking':
        this.answer = said;
        this.stale = false;
        return;
      case 'error':
        this.#fail(said.message);
    }
  }

  #fail(why: string): void {
    this.#rest();
    this.error = why;
    this.answer = null;
  }

  #rest(): void {
    this.busy = false;
    this.waits = false;
    this.stale = false;
    this.progress = null;
  }
}
