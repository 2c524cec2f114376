// The command that answers a question, for readers who have the traces.

import type { View } from '../address';
import type { Knot, Question, Span } from '../contract';
import { wholeQuestion } from '../explorer/question';

/** `opens` is "fathom explain" and what opens the traces. What is left out is the command's default. */
export function questionCommand(opens: string, question: Question): string {
  const words = [opens, option('target', quoted(question.target)), option('run', quoted(question.run))];
  for (const window of question.windows) words.push(option('window', span(window)));
  if (question.baseline) words.push(option('against', span(question.baseline)));
  if (question.segments !== 'auto') words.push(option('segments', String(question.segments)));
  if (question.pattern) words.push(option('pattern', question.pattern.map(knot).join(',')));
  if (question.common !== null) words.push(option('common', quoted(question.common)));
  if (question.normalise) words.push('--normalize');
  if (question.penalty !== 0) words.push(option('penalty', String(question.penalty)));
  if (question.correlator !== 'combined') words.push(option('correlator', question.correlator));
  if (question.score_in !== 'every') words.push(option('score-in', question.score_in));
  return words.join(' ');
}

/** A value that begins with a minus would be taken for an option. */
function option(name: string, value: string): string {
  return `--${name}${/^'?-/.test(value) ? '=' : ' '}${value}`;
}

/** With the unit, since bare numbers count in the unit of the traces. */
function span([start, end]: Span): string {
  return `${decimal(start)}s..${decimal(end)}s`;
}

function knot([time, height]: Knot): string {
  return `${decimal(time)}s:${height}`;
}

/** To the nanosecond, without an exponent, without zeros at the end. */
function decimal(value: number): string {
  return value.toFixed(9).replace(/\.?0+$/, '');
}

/** A word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** The command that opens the same view in the browser again, after this program has ended; `opens` is "fathom ui" and what opens the traces. */
export function linkCommand(opens: string, view: View): string {
  const command = questionCommand(opens, wholeQuestion(view));
  // `fathom ui` selects nothing by itself.
  return view.whole ? `${command} --window all` : command;
}
