// Every key, in one table: what is pressed is looked up in it, and the help is made of it.

export type Action =
  | 'next-row'
  | 'previous-row'
  | 'first-row'
  | 'last-row'
  | 'unfold'
  | 'add-to-stack'
  | 'label-yes'
  | 'label-maybe'
  | 'label-no'
  | 'unlabel'
  | 'new-window'
  | 'next-window'
  | 'move-left'
  | 'move-right'
  | 'shrink'
  | 'grow'
  | 'remove-window'
  | 'baseline'
  | 'pattern'
  | 'clear'
  | 'zoom'
  | 'suggestions'
  | 'previous-run'
  | 'next-run'
  | 'undo'
  | 'redo'
  | 'search'
  | 'correlator'
  | 'export'
  | 'copy-command'
  | 'copy-link'
  | 'overview'
  | 'theme'
  | 'help';

export type Group = 'Ranking' | 'Selection' | 'Page';

export interface Binding {
  /** Any of these; two with a space between them are pressed one after the other. */
  keys: string[];
  does: Action;
  about: string;
  group: Group;
}

export const BINDINGS: readonly Binding[] = [
  { keys: ['j', 'ArrowDown'], does: 'next-row', about: 'next metric', group: 'Ranking' },
  { keys: ['k', 'ArrowUp'], does: 'previous-row', about: 'previous metric', group: 'Ranking' },
  { keys: ['g g', 'Home'], does: 'first-row', about: 'first metric', group: 'Ranking' },
  { keys: ['G', 'End'], does: 'last-row', about: 'last metric', group: 'Ranking' },
  { keys: ['o'], does: 'unfold', about: 'show or hide its near copies', group: 'Ranking' },
  { keys: ['Enter'], does: 'add-to-stack', about: 'add it to the stack, or remove it', group: 'Ranking' },
  { keys: ['y'], does: 'label-yes', about: 'label: yes, it is related', group: 'Ranking' },
  { keys: ['m'], does: 'label-maybe', about: 'label: maybe', group: 'Ranking' },
  { keys: ['n'], does: 'label-no', about: 'label: no', group: 'Ranking' },
  { keys: ['u'], does: 'unlabel', about: 'remove the label', group: 'Ranking' },
  { keys: ['w'], does: 'new-window', about: 'new window, at the cursor if there is one', group: 'Selection' },
  { keys: ['v'], does: 'next-window', about: 'select the next window', group: 'Selection' },
  { keys: ['ArrowLeft'], does: 'move-left', about: 'move it left', group: 'Selection' },
  { keys: ['ArrowRight'], does: 'move-right', about: 'move it right', group: 'Selection' },
  { keys: ['Shift+ArrowLeft'], does: 'shrink', about: 'make it shorter', group: 'Selection' },
  { keys: ['Shift+ArrowRight'], does: 'grow', about: 'make it longer', group: 'Selection' },
  { keys: ['Delete', 'Backspace'], does: 'remove-window', about: 'remove it', group: 'Selection' },
  { keys: ['b'], does: 'baseline', about: 'baseline; arrow keys then move it', group: 'Selection' },
  { keys: ['p'], does: 'pattern', about: 'draw a pattern, zoomed to the windows', group: 'Selection' },
  { keys: ['Escape'], does: 'clear', about: 'back to windows, then zoom out, then clear', group: 'Selection' },
  { keys: ['z'], does: 'zoom', about: 'zoom to the windows, or back out', group: 'Selection' },
  { keys: ['g s'], does: 'suggestions', about: 'next suggested anomaly', group: 'Selection' },
  { keys: ['['], does: 'previous-run', about: 'same window in the previous run', group: 'Selection' },
  { keys: [']'], does: 'next-run', about: 'same window in the next run', group: 'Selection' },
  { keys: ['Ctrl+z'], does: 'undo', about: 'undo (or the browser’s Back)', group: 'Page' },
  { keys: ['Ctrl+Shift+z', 'Ctrl+y'], does: 'redo', about: 'redo (or the browser’s Forward)', group: 'Page' },
  { keys: ['/'], does: 'search', about: 'search metrics; Enter makes one the target', group: 'Page' },
  { keys: ['c'], does: 'correlator', about: 'choose correlators', group: 'Page' },
  { keys: ['x'], does: 'export', about: 'export', group: 'Page' },
  { keys: ['g c'], does: 'copy-command', about: 'copy the command that gives the same ranking', group: 'Page' },
  { keys: ['g l'], does: 'copy-link', about: 'copy the command that opens this view again', group: 'Page' },
  { keys: ['g m'], does: 'overview', about: 'show or hide the list of metrics', group: 'Page' },
  { keys: ['t'], does: 'theme', about: 'theme: light, dark or system', group: 'Page' },
  { keys: ['?'], does: 'help', about: 'this help', group: 'Page' },
];

/** In the target's chart, when it has the focus; the chart sees to these. */
export const CHART_KEYS: readonly { keys: string[]; about: string }[] = [
  { keys: ['ArrowLeft', 'ArrowRight'], about: 'move the cursor; with Ctrl, further' },
  { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], about: 'select from the cursor' },
  { keys: ['+', '-', '0'], about: 'zoom in, out, or to everything' },
  { keys: ['PageUp', 'PageDown'], about: 'pan' },
  { keys: ['Enter'], about: 'pattern: add a point at the cursor' },
  { keys: ['Delete'], about: 'remove the window at the cursor' },
];

const NAMES: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  Delete: 'Del',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** As it is printed on keys: one text per key to press. */
export function printed(keys: string): string[] {
  return keys.split(/[ +](?=.)/).map((key) => NAMES[key] ?? key);
}

export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
}

/** Looks keys up, and remembers the first of two. */
export class Keyboard {
  #first: string | null = null;
  #forget: ReturnType<typeof setTimeout> | undefined;

  /** What to do; `null`: nothing, or not yet. */
  press(pressed: Pressed): Action | null {
    if (pressed.altKey) return null;
    if (pressed.ctrlKey || pressed.metaKey) {
      // All others belong to the browser. Capitals: with Shift, keys have another name.
      const together = `Ctrl+${pressed.shiftKey ? 'Shift+' : ''}${pressed.key.toLowerCase()}`;
      return BINDINGS.find(({ keys }) => keys.includes(together))?.does ?? null;
    }
    if (pressed.key === 'Shift') return null;
    const isNamed = pressed.key.length > 1;
    const key = isNamed && pressed.shiftKey ? `Shift+${pressed.key}` : pressed.key;
    const first = this.#first;
    this.#drop();
    const wanted = first === null ? key : `${first} ${key}`;
    const found = BINDINGS.find(({ keys }) => keys.includes(wanted));
    if (found) return found.does;
    if (first === null && BINDINGS.some(({ keys }) => keys.some((one) => one.startsWith(`${key} `)))) {
      this.#first = key;
      this.#forget = setTimeout(() => this.#drop(), 1500);
    }
    return null;
  }

  #drop(): void {
    clearTimeout(this.#forget);
    this.#first = null;
  }
}

/** What an element needs keys for itself. */
export type Typing = 'text' | 'choice' | null;

interface Pressable {
  tagName: string;
  type?: string;
  isContentEditable?: boolean;
}

/** Whether keys pressed in an element are meant for it: all of them, or those that choose. */
export function typingIn(element: Pressable | null): Typing {
  if (element === null) return null;
  if (element.isContentEditable) return 'text';
  const tag = element.tagName.toLowerCase();
  if (tag === 'textarea' || tag === 'select') return 'text';
  if (tag === 'input') return ['checkbox', 'radio', 'button'].includes(element.type ?? '') ? 'choice' : 'text';
  return tag === 'button' || tag === 'summary' || tag === 'a' ? 'choice' : null;
}

const CHOOSING = new Set(['Enter', ' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

/** Whether a key is left to the element it was pressed in. */
export function isTheirs(key: string, typing: Typing): boolean {
  return typing === 'text' || (typing === 'choice' && CHOOSING.has(key));
}
