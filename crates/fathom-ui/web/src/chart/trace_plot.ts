// One metric over time on a canvas: uPlot draws line and axes, the caller what lies behind and over.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Span } from '../contract';
import { valueAxis } from './axis';
import { lonely, stretches, type Drawn } from './drawn';
import { GUTTER, MARGIN, TIME_AXIS, valueAt, x, y, type Frame } from './frame';
import { onTheme, palette, type ColourName, type Palette } from './theme';
import { timeLabel, timeTicks } from './time';

const FONT_SIZE = 11;
/** Pixels between two labels of time. */
const TIME_SPACE = 110;

export interface Looks {
  stroke: ColourName;
  /** Of the line, in pixels. */
  weight: number;
  hasTimeAxis: boolean;
  /** Pixels above the plot. */
  top: number;
  /** About this many labels of value; 0: none. */
  valueTicks: number;
  /** Drawn before the line, and after it. */
  behind: (brush: Brush) => void;
  over: (brush: Brush) => void;
}

/** A canvas in CSS pixels, clipped to the plot. */
export interface Brush {
  context: CanvasRenderingContext2D;
  frame: Frame;
  colours: Palette;
}

/** What to show: `frame` says where, and must be as `frameFor` makes it. */
export interface Picture {
  drawn: Drawn;
  frame: Frame;
  unit: string;
}

const NOTHING: Drawn = { time: [], values: [], low: null, high: null };

/** The plot's place in a canvas of this size. */
export function frameFor(
  looks: Pick<Looks, 'top' | 'hasTimeAxis'>,
  width: number,
  height: number,
): Omit<Frame, 'view' | 'reach'> {
  return {
    left: GUTTER,
    top: looks.top,
    width: Math.max(1, width - GUTTER - MARGIN),
    height: Math.max(1, height - looks.top - (looks.hasTimeAxis ? TIME_AXIS : 1)),
  };
}

export class TracePlot {
  readonly #looks: Looks;
  readonly #plot: uPlot;
  readonly #forget: () => void;
  #picture: Picture;
  /** Kept while line and frame are the same. */
  #envelope: { path: Path2D | null } | null = null;

  constructor(host: HTMLElement, looks: Looks, picture: Picture) {
    this.#looks = looks;
    this.#picture = picture;
    this.#plot = new uPlot(this.#options(), data(picture), host);
    this.#forget = onTheme(() => this.#plot.redraw(false));
  }

  get canvas(): HTMLCanvasElement {
    return this.#plot.ctx.canvas;
  }

  update(picture: Picture): void {
    const before = this.#picture;
    this.#picture = picture;
    this.#envelope = null;
    const [width, height] = this.#size();
    const [start, end] = picture.frame.view;
    this.#plot.batch(() => {
      if (width !== this.#plot.width || height !== this.#plot.height) {
        this.#plot.setSize({ width, height });
      }
      if (before.drawn !== picture.drawn) this.#plot.setData(data(picture), false);
      this.#plot.setScale('x', { min: start, max: end });
    });
  }

  /** Draws again what lies behind and over; the line is as it was. */
  repaint(): void {
    this.#plot.redraw(false);
  }

  destroy(): void {
    this.#forget();
    this.#plot.destroy();
  }

  #size(): [width: number, height: number] {
    const { left, top, width, height } = this.#picture.frame;
    return [left + width + MARGIN, top + height + (this.#looks.hasTimeAxis ? TIME_AXIS : 1)];
  }

  #options(): uPlot.Options {
    const [width, height] = this.#size();
    const looks = this.#looks;
    const font = `${FONT_SIZE}px ${palette().font}`;
    const soft = () => palette().soft;
    const grid = { stroke: () => palette().grid, width: 1 };
    const ticks = { show: false };
    const axis = () => valueAxis(this.#labelled(), this.#picture.unit, looks.valueTicks);
    const times = () => timeTicks(this.#picture.frame.view, this.#picture.frame.width / TIME_SPACE);
    return {
      width,
      height,
      pxAlign: 0,
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      padding: [looks.top, MARGIN, looks.hasTimeAxis ? 0 : 1, 0],
      scales: {
        x: { time: false, range: (_, low, high) => [low, high] },
        y: { range: () => this.#picture.frame.reach },
      },
      axes: [
        {
          show: true,
          size: looks.hasTimeAxis ? TIME_AXIS : 0,
          gap: 5,
          font,
          stroke: soft,
          grid,
          ticks,
          splits: times,
          values: (_, at) =>
            at.map((time) =>
              looks.hasTimeAxis ? timeLabel(time, (at[1] ?? 1) - (at[0] ?? 0) || 1, this.#picture.frame.view) : '',
            ),
        },
        {
          size: GUTTER,
          gap: 6,
          font,
          stroke: soft,
          grid,
          ticks,
          splits: () => (looks.valueTicks > 0 ? axis().ticks : []),
          values: () => (looks.valueTicks > 0 ? axis().labels : []),
        },
      ],
      series: [
        {},
        {
          stroke: () => palette()[looks.stroke],
          width: looks.weight,
          points: {
            show: false,
            size: 3,
            width: 0,
            filter: () => lonely(this.#picture.drawn.values),
            fill: () => palette()[looks.stroke],
          },
        },
      ],
      hooks: {
        drawAxes: [
          (plot) =>
            this.#paint(plot, (brush) => {
              looks.behind(brush);
              this.#paintEnvelope(brush);
            }),
        ],
        draw: [(plot) => this.#paint(plot, looks.over)],
      },
    };
  }

  /** The values whose labels are not cut by the edges of the canvas. */
  #labelled(): Span {
    const { frame } = this.#picture;
    const half = FONT_SIZE / 2;
    const bottom = Math.min(frame.top + frame.height, this.#size()[1] - half);
    return [valueAt(frame, bottom), valueAt(frame, Math.max(frame.top, half))];
  }

  #paintEnvelope({ context, colours }: Brush): void {
    this.#envelope ??= { path: envelopePath(this.#picture) };
    if (!this.#envelope.path) return;
    context.globalAlpha = 0.2;
    context.fillStyle = colours[this.#looks.stroke];
    context.fill(this.#envelope.path);
    context.globalAlpha = 1;
  }

  #paint(plot: uPlot, paint: (brush: Brush) => void): void {
    const { frame } = this.#picture;
    const context = plot.ctx;
    context.save();
    context.scale(uPlot.pxRatio, uPlot.pxRatio);
    context.beginPath();
    context.rect(frame.left, frame.top, frame.width, frame.height);
    context.clip();
    paint({ context, frame, colours: palette() });
    context.restore();
  }
}

/** uPlot wants at least one point to know where its axes are. */
function data({ drawn, frame }: Picture): uPlot.AlignedData {
  const { time, values } = drawn.time.length > 0 ? drawn : NOTHING;
  return time.length > 0 ? [time, values] : [[...frame.view], [null, null]];
}

/** Around what the rows behind each point reach. */
function envelopePath({ drawn: { time, low, high }, frame }: Picture): Path2D | null {
  if (!low || !high) return null;
  const path = new Path2D();
  for (const [first, last] of stretches(low)) {
    for (let n = first; n <= last; n += 1) {
      const left = x(frame, time[n] ?? 0);
      const top = y(frame, high[n] ?? 0);
      if (n === first) path.moveTo(left, top);
      else path.lineTo(left, top);
    }
    for (let n = last; n >= first; n -= 1) path.lineTo(x(frame, time[n] ?? 0), y(frame, low[n] ?? 0));
    path.closePath();
  }
  return path;
}
