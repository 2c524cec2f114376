import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BINDINGS, isTheirs, Keyboard, type Pressed, printed, typingIn } from './keyboard';

const key = (name: string, more: Partial<Pressed> = {}): Pressed => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  ...more,
});

describe('keys', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are in the table once', () => {
    const all = BINDINGS.flatMap(({ keys }) => keys);
    expect(new Set(all).size).toBe(all.length);
    const does = BINDINGS.map((one) => one.does);
    expect(new Set(does).size).toBe(does.length);
    const firsts = all.filter((one) => one.includes(' ')).map((one) => one.split(' ')[0]);
    // A first key that did something itself would hide what follows.
    for (const one of firsts) expect(all).not.toContain(one);
  });

  it('do what the table says', () => {
    for (const { keys, does } of BINDINGS) {
      for (const one of keys) {
        const keyboard = new Keyboard();
        const presses = one.split(' ').map((part) => {
          const shiftKey = part.includes('Shift+') || /^[A-Z?]$/.test(part);
          const ctrlKey = part.startsWith('Ctrl+');
          return keyboard.press(key(part.replace('Ctrl+', '').replace('Shift+', ''), { shiftKey, ctrlKey }));
        });
        expect(presses.at(-1), one).toBe(does);
        expect(presses.slice(0, -1)).toEqual(presses.slice(0, -1).map(() => null));
      }
    }
  });

  it('of two must follow soon', () => {
    const keyboard = new Keyboard();
    keyboard.press(key('g'));
    vi.advanceTimersByTime(2000);
    expect(keyboard.press(key('s'))).toBeNull();
    keyboard.press(key('g'));
    vi.advanceTimersByTime(500);
    expect(keyboard.press(key('s'))).toBe('suggestions');
    keyboard.press(key('g'));
    expect(keyboard.press(key('y'))).toBeNull();
    expect(keyboard.press(key('y'))).toBe('label-yes');
  });

  it('of the browser stay with it', () => {
    const keyboard = new Keyboard();
    for (const held of ['ctrlKey', 'altKey', 'metaKey'] as const) {
      expect(keyboard.press(key('c', { [held]: true }))).toBeNull();
    }
    expect(keyboard.press(key('ArrowLeft', { shiftKey: true }))).toBe('shrink');
    expect(keyboard.press(key('j'))).toBe('next-row');
  });

  it('belong to those who type', () => {
    const text = typingIn({ tagName: 'INPUT', type: 'number' });
    expect(isTheirs('j', text)).toBe(true);
    expect(isTheirs('y', typingIn({ tagName: 'SELECT' }))).toBe(true);
    expect(isTheirs('y', typingIn({ tagName: 'DIV', isContentEditable: true }))).toBe(true);
    const box = typingIn({ tagName: 'INPUT', type: 'checkbox' });
    expect([isTheirs('j', box), isTheirs('Enter', box)]).toEqual([false, true]);
    const button = typingIn({ tagName: 'BUTTON' });
    expect([isTheirs('y', button), isTheirs(' ', button)]).toEqual([false, true]);
    expect(isTheirs('Enter', typingIn({ tagName: 'DIV' }))).toBe(false);
    expect(typingIn(null)).toBeNull();
  });

  it('are printed as they look', () => {
    expect(printed('Shift+ArrowLeft')).toEqual(['Shift', '←']);
    expect(printed('g s')).toEqual(['g', 's']);
    expect(printed('+')).toEqual(['+']);
    expect(printed('/')).toEqual(['/']);
  });
});
