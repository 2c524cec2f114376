// The question and the view in the address, so that a view can be sent. Names are those of
// `fathom explain`'s options. It stands after the #, which browsers do not send to anybody.

import type { Knot, ScoreIn, Span } from './contract';

/** What is asked and how it is looked at. */
export interface View {
  target: string;
  run: string;
  /** None: nothing is asked, unless `whole`. */
  windows: Span[];
  /** All of the target is asked about. */
  whole: boolean;
  baseline: Span | null;
  segments: number | 'auto';
  pattern: Knot[] | null;
  correlator: string;
  scoreIn: ScoreIn;
  /** `null`: the one that the program takes. */
  common: string | null;
  normalise: boolean;
  penalty: number;
  zoom: Span | null;
  /** Metrics under the target; `null`: the first of the ranking. */
  stack: string[] | null;
  /** Correlators whose ranks are shown next to it. */
  beside: string[];
  search: string;
}

/** More than this is junk. */
const LONGEST_LIST = 1000;
const LONGEST_NUMBER = 32;
/** As on the command line. */
const MOST_SEGMENTS = 100;

/** The view as a fragment without its #; what is as in `usual` is left out, but the target and run. */
export function encode(view: View, usual: View): string {
  const parts: string[] = [`target=${escaped(view.target)}`, `run=${escaped(view.run)}`];
  const add = (name: string, value: string | null) => {
    if (value !== null) parts.push(`${name}=${value}`);
  };
  const changed = <T>(value: T, from: T, text: (value: T) => string) => (value === from ? null : text(value));
  add('window', view.whole ? 'all' : list(view.windows.map(span)));
  add('baseline', view.baseline && span(view.baseline));
  add('segments', changed(view.segments, usual.segments, String));
  add('pattern', view.pattern && view.pattern.map(([time, height]) => `${number(time)}:${number(height)}`).join());
  add('correlator', changed(view.correlator, usual.correlator, escaped));
  add('score-in', changed(view.scoreIn, usual.scoreIn, escaped));
  add('common', view.common === null ? null : escaped(view.common));
  add('penalty', changed(view.penalty, usual.penalty, number));
  if (view.normalise) parts.push('normalise');
  add('zoom', view.zoom && span(view.zoom));
  add('stack', view.stack && view.stack.map(escaped).join());
  add('beside', list(view.beside.map(escaped)));
  add('search', view.search === '' ? null : escaped(view.search));
  return parts.join('&');
}

/** What a fragment says, as far as it can be read. */
export function decode(fragment: string): Partial<View> {
  const view: Partial<View> = {};
  for (const part of fragment.replace(/^#/, '').split('&', LONGEST_LIST)) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    read(view, name, equals < 0 ? '' : part.slice(equals + 1));
  }
  return view;
}

function read(view: Partial<View>, name: string, value: string): void {
  switch (name) {
    case 'target':
    case 'run':
    case 'correlator':
    case 'common':
    case 'search': {
      const text = unescaped(value);
      if (text) view[name] = text;
      return;
    }
    case 'window':
      if (value === 'all') view.whole = true;
      else view.windows = items(value, readSpan);
      return;
    case 'baseline':
    case 'zoom': {
      const found = readSpan(value);
      if (found) view[name] = found;
      return;
    }
    case 'segments': {
      const count = readNumber(value);
      if (value === 'auto') view.segments = 'auto';
      else if (Number.isInteger(count) && count >= 1 && count <= MOST_SEGMENTS) view.segments = count;
      return;
    }
    case 'pattern': {
      const knots = items(value, readKnot);
      const increase = knots.every(([time], n) => n === 0 || time > (knots[n - 1]?.[0] ?? time));
      if (knots.length > 1 && increase) view.pattern = knots;
      return;
    }
    case 'score-in':
      if (value === 'every' || value === 'nearest') view.scoreIn = value;
      return;
    case 'penalty': {
      const penalty = readNumber(value);
      if (penalty >= 0) view.penalty = penalty;
      return;
    }
    case 'normalise':
      view.normalise = value === '' || value === 'true';
      return;
    case 'stack':
    case 'beside':
      view[name] = [...new Set(items(value, unescaped))];
      return;
  }
}

const number = (value: number) => escaped(String(value));
const span = ([start, end]: Span) => `${number(start)}..${number(end)}`;
const list = (texts: string[]) => (texts.length === 0 ? null : texts.join());

function items<T>(text: string, one: (text: string) => T | null): T[] {
  const read = text.split(',', LONGEST_LIST).map(one);
  return read.filter((value): value is Awaited<T> & T => value !== null && value !== '');
}

/** NaN for anything but a finite number in decimal. */
function readNumber(text: string): number {
  const plain = unescaped(text) ?? '';
  const isDecimal = plain.length <= LONGEST_NUMBER && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(plain);
  const value = isDecimal ? Number(plain) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

function readSpan(text: string): Span | null {
  const ends = text.split('..');
  const [start, end] = [readNumber(ends[0] ?? ''), readNumber(ends[1] ?? '')];
  return ends.length === 2 && start < end ? [start, end] : null;
}

function readKnot(text: string): Knot | null {
  const parts = text.split(':');
  const [time, height] = [readNumber(parts[0] ?? ''), readNumber(parts[1] ?? '')];
  return parts.length === 2 && !Number.isNaN(time + height) ? [time, height] : null;
}

/** Readable where nothing can be mistaken: commas, brackets and the like end an address in mails. */
function escaped(text: string): string {
  // Half a character cannot be written in an address.
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(3A|40|2F|24)/g, (one) => decodeURIComponent(one));
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
