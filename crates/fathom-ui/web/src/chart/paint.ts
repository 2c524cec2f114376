// What lies behind and over a line: windows, suggestions, straight lines, knots, lags.

import type { Knot, Span } from '../contract';
import { seen, x, y } from './frame';
import type { Brush } from './trace_plot';

type Colour = 'accent' | 'soft' | 'warning' | 'series-2' | 'series-3' | 'ink';

/** A washed stretch with thin edges. */
export function paintWindow({ context, frame, colours }: Brush, span: Span): void {
  const part = seen(frame, span);
  if (!part) return;
  context.fillStyle = colours['accent-wash'];
  context.fillRect(part.left, frame.top, part.width, frame.height);
  context.fillStyle = colours.accent;
  for (const time of span) context.fillRect(Math.round(x(frame, time)) - 0.5, frame.top, 1, frame.height);
}

/** Hatched, so that it is told from a window without colour. */
export function paintBaseline({ context, frame, colours }: Brush, span: Span): void {
  const part = seen(frame, span);
  if (!part) return;
  context.save();
  context.beginPath();
  context.rect(part.left, frame.top, part.width, frame.height);
  context.clip();
  context.strokeStyle = colours.soft;
  context.globalAlpha = 0.22;
  context.lineWidth = 1;
  context.beginPath();
  // From the stretch's own start, so that the hatching moves with it.
  const start = x(frame, span[0]);
  const from = start + Math.floor((part.left - start - frame.height) / 8) * 8;
  for (let left = from; left < part.left + part.width; left += 8) {
    context.moveTo(left, frame.top + frame.height);
    context.lineTo(left + frame.height, frame.top);
  }
  context.stroke();
  context.restore();
}

/** A faint band with a dashed lid: something to click. */
export function paintSuggestion({ context, frame, colours }: Brush, span: Span, isUnder: boolean): void {
  const part = seen(frame, span);
  if (!part) return;
  const wide = Math.max(part.width, 2);
  context.fillStyle = colours.warning;
  context.globalAlpha = isUnder ? 0.2 : 0.08;
  context.fillRect(part.left, frame.top, wide, frame.height);
  context.globalAlpha = isUnder ? 1 : 0.7;
  context.fillRect(part.left, frame.top, wide, 3);
  context.globalAlpha = 1;
}

/** Straight lines from knot to knot. */
export function paintLine(
  { context, frame, colours }: Brush,
  knots: readonly Knot[],
  colour: Colour,
  weight: number,
  dash: number[] = [],
): void {
  context.beginPath();
  for (const [place, [time, height]] of knots.entries()) {
    if (place === 0) context.moveTo(x(frame, time), y(frame, height));
    else context.lineTo(x(frame, time), y(frame, height));
  }
  context.setLineDash(dash);
  context.lineJoin = 'round';
  // A rim of paper keeps it apart from the line below.
  context.strokeStyle = colours.paper;
  context.lineWidth = weight + 2.5;
  context.globalAlpha = 0.7;
  context.stroke();
  context.globalAlpha = 1;
  context.strokeStyle = colours[colour];
  context.lineWidth = weight;
  context.stroke();
  context.setLineDash([]);
}

/** A drawn pattern: level before its first knot and after its last, as it is understood. */
export function paintPattern(brush: Brush, knots: readonly Knot[], windows: readonly Span[]): void {
  const { context, frame, colours } = brush;
  const [first, last] = [knots[0], knots.at(-1)];
  if (!first || !last) return;
  const start = Math.min(first[0], ...windows.map(([time]) => time));
  const end = Math.max(last[0], ...windows.map(([, time]) => time));
  if (start < first[0]) paintLine(brush, [[start, first[1]], first], 'series-2', 1.5, [4, 4]);
  if (end > last[0]) paintLine(brush, [last, [end, last[1]]], 'series-2', 1.5, [4, 4]);
  paintLine(brush, knots, 'series-2', 2);
  for (const [time, height] of knots) {
    context.beginPath();
    context.arc(x(frame, time), y(frame, height), 4.5, 0, 2 * Math.PI);
    context.fillStyle = colours.paper;
    context.fill();
    context.strokeStyle = colours['series-2'];
    context.lineWidth = 2;
    context.stroke();
  }
}

/** From where the target's window begins to where the metric says the same, as an arrow. */
export function paintLag({ context, frame, colours }: Brush, from: number, lag: number): void {
  const [start, end] = [x(frame, from), x(frame, from + lag)];
  if (Math.abs(end - start) < 1) return;
  const top = frame.top + 6;
  const tip = Math.sign(end - start) * Math.min(4, Math.abs(end - start));
  context.strokeStyle = colours.warning;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(start, top - 4);
  context.lineTo(start, top + 4);
  context.moveTo(start, top);
  context.lineTo(end, top);
  context.moveTo(end - tip, top - 3);
  context.lineTo(end, top);
  context.lineTo(end - tip, top + 3);
  context.stroke();
}

/** Small words in a corner of the plot. */
export function paintNote({ context, frame, colours }: Brush, text: string): void {
  context.font = `11px ${colours.font}`;
  // The axes leave it at the right.
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.lineWidth = 3;
  context.strokeStyle = colours.paper;
  context.strokeText(text, frame.left + 5, frame.top + 4);
  context.fillStyle = colours.soft;
  context.fillText(text, frame.left + 5, frame.top + 4);
}
