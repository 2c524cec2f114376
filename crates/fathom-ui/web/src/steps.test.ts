import { describe, expect, it } from 'vitest';
import { Steps } from './steps';

/** A history as browsers have it. */
function made(first = '') {
  const entries: { state: unknown; hash: string }[] = [{ state: null, hash: first }];
  let place = 0;
  let time = 0;
  const at = () => entries[place] ?? { state: null, hash: '' };
  const hashOf = (address: unknown) => (String(address) === '#' ? '' : String(address));
  const places = {
    get state() {
      return at().state;
    },
    pushState(state: unknown, _: string, address?: string | URL | null) {
      entries.splice(place + 1, Infinity, { state, hash: hashOf(address) });
      place += 1;
    },
    replaceState(state: unknown, _: string, address?: string | URL | null) {
      entries[place] = { state, hash: hashOf(address) };
    },
    back() {
      place -= 1;
    },
    forward() {
      place += 1;
    },
  };
  const steps = new Steps(
    places,
    () => at().hash,
    () => time,
  );
  return {
    steps,
    hashes: () => entries.map(({ hash }) => hash),
    here: () => at().hash,
    wait: (ms: number) => (time += ms),
  };
}

const one = (of: string, open = false) => ({ of, open });

describe('steps', () => {
  it('begin with what the page shows first', () => {
    const { steps, hashes } = made();
    steps.settled('a');
    expect(hashes()).toEqual(['#a']);
    expect(steps.undo()).toBe(false);
    steps.write('b', one('windows'));
    expect(hashes()).toEqual(['#a', '#b']);
  });

  it('lead back and forward, and not out of the page', () => {
    const { steps, here } = made('#a');
    steps.settled('a');
    steps.write('b', one('windows'));
    steps.write('c', one('zoom'));
    expect(steps.redo()).toBe(false);
    expect(steps.undo()).toBe(true);
    steps.settled('b');
    expect(steps.undo()).toBe(true);
    steps.settled('a');
    expect([here(), steps.undo()]).toEqual(['#a', false]);
    expect(steps.redo()).toBe(true);
    steps.settled('b');
    // Another way from here: what was forward is gone.
    steps.write('d', one('zoom'));
    expect([here(), steps.redo()]).toEqual(['#d', false]);
  });

  it('join what is one movement', () => {
    const { steps, hashes, wait } = made('#a');
    steps.settled('a');
    steps.write('b', one('windows', true));
    wait(500);
    steps.write('c', one('windows', true));
    wait(500);
    steps.write('d', one('windows'));
    expect(hashes()).toEqual(['#a', '#d']);
    steps.write('e', one('windows', true));
    expect(hashes()).toEqual(['#a', '#d', '#e']);
    steps.write('f', one('zoom', true));
    wait(2000);
    steps.write('g', one('zoom', true));
    expect(hashes()).toEqual(['#a', '#d', '#e', '#f', '#g']);
  });

  it('write an address that means the same in place', () => {
    const { steps, hashes } = made('#a');
    steps.settled('a');
    steps.write('b', one('windows'));
    steps.settled('b&run=1');
    expect(hashes()).toEqual(['#a', '#b&run=1']);
  });
});
