// Names come from anywhere: letters that steer the text instead of being seen are made visible.

/** Control characters but the line break, and those that turn the direction of what follows. */
const STEERING = /[^\P{Cc}\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Every text in it, at any depth. Equal texts stay equal, so names still find what they name. */
export function legible<T>(value: T): T {
  return walked(value) as T;
}

function walked(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(STEERING, '\u{fffd}');
  // Rows of numbers are long, and there is nothing to do in them.
  if (Array.isArray(value)) return value.every((one) => typeof one === 'number') ? value : value.map(walked);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walked(one)]));
  }
  return value;
}
