// The part of the address after "#", where the view is: what was switched, and what is looked at.

import type { SessionOptions } from '../contract';
import { OUTLIERS, OUTLIER_METHODS, STATISTICS, parseConfidence, parseSkipped } from './options';

export interface Wish {
  options: SessionOptions;
  /** The subject that is looked at; null: the first. */
  subject: string | null;
  axis: 'linear' | 'log' | null;
  /** What in the address was not understood, in words. */
  refused: string[];
}

/** What the address wishes for; what it leaves open is as `given`. */
export function readFragment(fragment: string, given: SessionOptions): Wish {
  const fields = new URLSearchParams(fragment.replace(/^#/u, ''));
  const options = { ...given };
  const refused: string[] = [];
  const refuse = (name: string, why: string): void => {
    refused.push(`The address says ${name}=${fields.get(name) ?? ''}. ${why}`);
  };

  const confidence = fields.get('confidence');
  if (confidence !== null) {
    const parsed = parseConfidence(confidence);
    if ('value' in parsed) options.confidence = parsed.value;
    else refuse('confidence', parsed.problem);
  }
  const outliers = fields.get('outliers');
  if (outliers !== null) {
    const known = OUTLIERS.find((one) => one === outliers);
    if (known) options.outliers = known;
    else refuse('outliers', `Use one of ${OUTLIERS.join(', ')}.`);
  }
  const method = fields.get('outlier_method');
  if (method !== null) {
    const known = OUTLIER_METHODS.find((one) => one === method);
    if (known) options.outlier_method = known;
    else refuse('outlier_method', `Use one of ${OUTLIER_METHODS.join(', ')}.`);
  }
  const steady = fields.get('steady_state');
  if (steady === 'auto' || steady === 'off') options.steady_state = steady;
  else if (steady !== null) {
    const parsed = parseSkipped(steady);
    if ('value' in parsed) options.steady_state = parsed.value;
    else refuse('steady_state', `Use auto, off or a number of samples to skip.`);
  }
  const statistic = fields.get('statistic');
  if (statistic !== null) {
    const known = STATISTICS.find((one) => one === statistic);
    if (known) options.statistic = known;
    else refuse('statistic', `Use one of ${STATISTICS.join(', ')}.`);
  }
  const axis = fields.get('axis');
  return {
    options,
    subject: fields.get('subject'),
    axis: axis === 'log' || axis === 'linear' ? axis : null,
    refused,
  };
}

/** The fragment with this in it, without "#". Fields of others stay; what is as `given` is left out. */
export function writeFragment(fragment: string, wish: Omit<Wish, 'refused'>, given: SessionOptions): string {
  const fields = new URLSearchParams(fragment.replace(/^#/u, ''));
  const put = (name: string, value: string | null): void => {
    if (value === null) fields.delete(name);
    else fields.set(name, value);
  };
  const { options } = wish;
  const changed = (name: keyof SessionOptions): string | null =>
    options[name] === given[name] ? null : String(options[name]);
  put('confidence', changed('confidence'));
  put('outliers', changed('outliers'));
  put('outlier_method', changed('outlier_method'));
  put('steady_state', changed('steady_state'));
  put('statistic', changed('statistic'));
  put('subject', wish.subject);
  put('axis', wish.axis);
  return fields.toString();
}
