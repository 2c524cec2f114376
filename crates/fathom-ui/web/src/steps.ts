// Steps that the browser's Back and Forward lead through, and Ctrl-Z.

/** What an entry of the history remembers: its place among those of this page. */
interface Kept {
  step: number;
}

/** Changes of one thing that follow each other this soon, in milliseconds, are one step. */
const JOINED_MS = 1500;

export interface Change {
  /** What is new; a change of something else is a step of its own. */
  of: string;
  /** Whether more of the same may follow, as while somebody drags or types. */
  open: boolean;
}

type Places = Pick<History, 'state' | 'pushState' | 'replaceState' | 'back' | 'forward'>;

export class Steps {
  readonly #history: Places;
  readonly #hash: () => string;
  readonly #now: () => number;
  /** The last step of this page, as far as is known. */
  #last: number;
  #written: (Change & { at: number }) | null = null;

  constructor(
    places: Places = history,
    hash: () => string = () => location.hash,
    now: () => number = () => performance.now(),
  ) {
    this.#history = places;
    this.#hash = hash;
    this.#now = now;
    this.#last = this.#step;
  }

  get #step(): number {
    const kept = this.#history.state as Partial<Kept> | null;
    return typeof kept?.step === 'number' ? kept.step : 0;
  }

  /** Writes a fragment into the address, as a new step unless it goes on with the last one. */
  write(fragment: string, change: Change, bare = '#'): void {
    const address = fragment === '' ? bare : `#${fragment}`;
    if (this.#hash() === (fragment === '' ? '' : address)) return;
    const before = this.#written;
    const at = this.#now();
    const goesOn = before !== null && before.open && before.of === change.of && at - before.at < JOINED_MS;
    this.#written = { ...change, at };
    if (goesOn) {
      this.#history.replaceState({ step: this.#step }, '', address);
      return;
    }
    const step = this.#step + 1;
    this.#last = step;
    this.#history.pushState({ step }, '', address);
  }

  /** The address was opened, or gone back or forward to, and means this: no step of its own. */
  settled(fragment: string): void {
    this.#written = null;
    this.#last = Math.max(this.#last, this.#step);
    if (this.#hash() !== `#${fragment}` && fragment !== '') {
      this.#history.replaceState({ step: this.#step }, '', `#${fragment}`);
    }
  }

  /** Whether there is a step before this one: beyond is another page. */
  undo(): boolean {
    if (this.#step <= 0) return false;
    this.#history.back();
    return true;
  }

  redo(): boolean {
    if (this.#step >= this.#last) return false;
    this.#history.forward();
    return true;
  }
}

interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** Goes back or forward by the keys for it, and says whether they were pressed. */
export function stepped({ key, shiftKey, ctrlKey, altKey, metaKey }: Pressed, steps: Steps): boolean {
  if (!(ctrlKey || metaKey) || altKey) return false;
  const isUndo = key.toLowerCase() === 'z' && !shiftKey;
  const isRedo = (key.toLowerCase() === 'z' && shiftKey) || (key.toLowerCase() === 'y' && !shiftKey);
  if (isUndo) steps.undo();
  if (isRedo) steps.redo();
  return isUndo || isRedo;
}
