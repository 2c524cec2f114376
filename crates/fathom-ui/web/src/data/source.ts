// Where the page's data come from: a program that answers, or the report they were put into.

import type {
  Answer,
  Context,
  Labels,
  Marking,
  Overview,
  Question,
  Ribbon,
  Said,
  Segmentation,
  Series,
  SessionOptions,
  SessionView,
  Suggestion,
  ViewQuery,
} from '../contract';

/** What runs are aligned by. */
export type WarpQuestion = Pick<Question, 'run' | 'target' | 'common' | 'normalise' | 'penalty'>;

/** About `columns` points of a metric, between two times if given. */
export interface SeriesQuery {
  run: string;
  metric: string;
  columns: number;
  from?: number;
  to?: number;
}

export interface DataSource {
  /** Whether questions can be asked; else there is only what was put in. */
  readonly live: boolean;

  overview(): Promise<Overview>;

  series(query: SeriesQuery, signal?: AbortSignal): Promise<Series>;

  /** Hands over what is said until all of it was; aborting stops the work. */
  explain(question: Question, on: (said: Said) => void, signal?: AbortSignal): Promise<void>;

  warps(question: WarpQuestion, on: (ribbon: Ribbon) => void, signal?: AbortSignal): Promise<void>;

  segments(question: Question, signal?: AbortSignal): Promise<Segmentation>;

  /** Whether a metric can be significant with these windows. */
  context(question: Question): Promise<Context>;

  suggestions(run: string, metric: string, signal?: AbortSignal): Promise<Suggestion[]>;

  /** The command that opens a view again, after this program has ended. */
  opening(view: ViewQuery): Promise<string>;

  labels(): Promise<Labels>;

  /** Gives a metric a label, or takes it away. */
  label(marking: Marking): Promise<Labels>;

  session(options: SessionOptions, signal?: AbortSignal): Promise<SessionView>;

  /** In a report: the question that was asked, and its answer. */
  readonly asked?: { question: Question; answer: Answer };

  /** In a report: what was left out of it, in words. */
  readonly thinned?: string;
}
