import { describe, expect, it } from 'vitest';
import { decode, encode, type View } from './address';

const usual: View = {
  target: 'ipc',
  run: 'run-1',
  windows: [],
  whole: false,
  baseline: null,
  segments: 'auto',
  pattern: null,
  correlator: 'combined',
  scoreIn: 'nearest',
  common: null,
  normalise: false,
  penalty: 0,
  zoom: null,
  stack: null,
  beside: [],
  search: '',
};

const all: View = {
  target: 'jvm.gc.pause',
  run: 'run-3',
  windows: [
    [12.4, 14.1],
    [20, 21.5],
  ],
  whole: false,
  baseline: [0, 9],
  segments: 3,
  pattern: [
    [3, 1],
    [3.4, -0.25],
    [4, 1e-9],
  ],
  correlator: 'dtw',
  scoreIn: 'every',
  common: 'cpu',
  normalise: true,
  penalty: 0.5,
  zoom: [10, 30],
  stack: ['os.faults', 'a,b'],
  beside: ['pearson', 'change'],
  search: 'gc pause',
};

const back = (view: View): View => ({ ...usual, ...decode(encode(view, usual)) });

describe('an address', () => {
  it('can be read by people', () => {
    expect(encode(all, usual)).toBe(
      'target=jvm.gc.pause&run=run-3&window=12.4..14.1,20..21.5&baseline=0..9&segments=3'
        + '&pattern=3:1,3.4:-0.25,4:1e-9&correlator=dtw&score-in=every&common=cpu&penalty=0.5&normalise'
        + '&zoom=10..30&stack=os.faults,a%2Cb&beside=pearson,change&search=gc%20pause',
    );
  });

  it('is short where nothing was changed', () => {
    expect(encode(usual, usual)).toBe('target=ipc&run=run-1');
    expect(encode({ ...usual, whole: true }, usual)).toBe('target=ipc&run=run-1&window=all');
  });

  it('gives the view back', () => {
    expect(back(all)).toEqual(all);
    expect(back(usual)).toEqual(usual);
    expect(back({ ...usual, whole: true })).toEqual({ ...usual, whole: true });
    expect(back({ ...usual, stack: [] }).stack).toEqual([]);
  });

  it('gives every number back exactly', () => {
    const numbers = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -123456789.123456789, 1e21, -0.000001];
    let seed = 1;
    for (let n = 0; n < 500; n += 1) {
      seed = (seed * 16807) % 2147483647;
      numbers.push((seed / 2147483647 - 0.5) * 10 ** ((seed % 60) - 30));
    }
    for (const one of numbers) {
      const wide: View = {
        ...usual,
        zoom: [one, Infinity],
        pattern: [
          [-1e300, one],
          [0, one],
        ],
      };
      const narrow = one < 0 ? ([one, 0] as const) : ([-1, one] as const);
      expect(back({ ...wide, zoom: [...narrow] })).toEqual({ ...wide, zoom: narrow });
    }
  });

  it('gives every name back', () => {
    const names = [
      '<img src=x onerror=alert(1)>',
      'a&b=c#d?e',
      '100%',
      '%41',
      '%',
      'ü Ω 漢字 🙂',
      "it's (5*2)!",
      '..',
      ':',
      '__proto__',
      'constructor',
      ' ',
      '\t\n\u0000',
      '+',
      '"',
      '\\',
      'a,b,c',
      'target=x',
    ];
    for (const name of names) {
      const view: View = { ...usual, target: name, run: name, common: name, stack: [name, 'z'], search: name };
      expect(back(view)).toEqual(view);
      expect(encode(view, usual)).not.toMatch(/[\s<>"'()`#]/);
    }
  });

  it('survives half a character', () => {
    expect(back({ ...usual, search: 'a\ud83d' }).search).toBe('a\ufffd');
  });
});

describe('junk', () => {
  it('is left out, and the rest is read', () => {
    expect(decode('#target=ipc&window=9..3,4..5,x..y,1..,..,NaN..Infinity,1..2..3,0x1..0x2&junk=1&&=&zoom=%')).toEqual({
      target: 'ipc',
      windows: [[4, 5]],
    });
    expect(decode('pattern=1:2')).toEqual({});
    expect(decode('pattern=2:1,1:1')).toEqual({});
    expect(decode('segments=0&segments=1.5&segments=-3&segments=1e9&penalty=-1&penalty=&score-in=both')).toEqual({});
    expect(decode('target=%E0%A4%A&run=')).toEqual({});
    expect(decode('')).toEqual({});
    expect(decode('#####')).toEqual({});
    expect(decode('stack=a,a,%,b')).toEqual({ stack: ['a', 'b'] });
  });

  it('does not reach what objects are made of', () => {
    const view = decode('__proto__=x&constructor=y&toString=z&stack=__proto__');
    expect(Object.keys(view)).toEqual(['stack']);
    expect(Object.getPrototypeOf(view)).toBe(Object.prototype);
  });

  it('of any length is read soon', () => {
    const began = performance.now();
    decode(`window=${'1..2,'.repeat(200_000)}`);
    decode('&'.repeat(1_000_000));
    decode(`target=${'%'.repeat(1_000_000)}`);
    decode(`penalty=${'1'.repeat(100_000)}e`);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('of random characters does no harm', () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const alphabet = 'target=run&window..,:%20e-+9az\u0000é🙂#';
    for (let n = 0; n < 2000; n += 1) {
      const text = Array.from({ length: random(60) }, () => alphabet[random(alphabet.length)]).join('');
      const view = decode(text);
      expect({ ...usual, ...decode(encode({ ...usual, ...view }, usual)) }).toEqual({ ...usual, ...view });
    }
  });
});
