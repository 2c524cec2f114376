// The data of a report: what was put into the page, and nothing else.

import { marked } from '../explorer/own_labels';
import type {
  Context,
  Labels,
  Marking,
  Overview,
  Question,
  Report,
  Ribbon,
  Said,
  Segmentation,
  Series,
  SessionOptions,
  SessionView,
  Suggestion,
  ViewQuery,
} from '../contract';
import type { DataSource, SeriesQuery, WarpQuestion } from '../data/source';
import { reranked } from './reranked';
import { isSameAlignment, isSameOptions, isSameSelection } from './same_question';
import { storedSeries } from './stored_series';

/** The data source of a page that is a report; null where it is none. */
export function embedded(page: Document): DataSource | null {
  const text = page.getElementById('fathom-report')?.textContent;
  return text ? new Embedded(JSON.parse(text) as Report) : null;
}

export class Embedded implements DataSource {
  readonly live = false;
  readonly asked?: NonNullable<DataSource['asked']>;
  readonly thinned?: string;
  #labels: Labels;

  constructor(private readonly report: Report) {
    if (report.question && report.answer) {
      this.asked = { question: report.question, answer: report.answer };
    }
    if (report.thinned !== null) this.thinned = report.thinned;
    this.#labels = {
      labels: structuredClone(report.labels?.labels ?? {}),
      of_windows: structuredClone(report.labels?.of_windows ?? []),
      saved_in: null,
      note: 'A report does not save labels: export them before you close this page.',
    };
  }

  async overview(): Promise<Overview> {
    return this.report.overview;
  }

  async series({ run, metric, from, to }: SeriesQuery): Promise<Series> {
    const found = storedSeries(this.report.series ?? [], run, metric, from, to);
    if (found) return found;
    throw new Error(`The values of ${metric} in ${run} are not in this report. ${this.#look()}`);
  }

  async explain(question: Question, on: (said: Said) => void): Promise<void> {
    on(this.#answer(question));
  }

  async warps(question: WarpQuestion, on: (ribbon: Ribbon) => void): Promise<void> {
    const asked = this.report.question;
    if (!asked || !isSameAlignment(question, asked)) {
      throw new Error(
        `This report has runs aligned for ${asked?.target ?? 'no metric'}`
          + `${asked ? ` of ${asked.run}` : ''} only. ${this.#look()}`,
      );
    }
    this.report.ribbons?.forEach(on);
  }

  async segments(question: Question): Promise<Segmentation> {
    const { question: asked, segmentation } = this.report;
    if (!asked || !isSameSelection(question, asked)) {
      throw new Error(`The lines of this selection are not in this report. ${this.#look()}`);
    }
    if (segmentation) return segmentation;
    throw new Error('The lines of the target are not in this report.');
  }

  /** A report says it in its answer. */
  async context(): Promise<Context> {
    return { enough: this.report.answer?.explanation.enough_context ?? true, advice: null };
  }

  async suggestions(): Promise<Suggestion[]> {
    return [];
  }

  /** Of another question than the report's own, what opens the traces. */
  async opening({ question }: ViewQuery): Promise<string> {
    const { question: asked, commands, overview } = this.report;
    const command = asked && isSameSelection(question, asked) ? commands?.[question.correlator] : undefined;
    return command?.ui ?? overview.opens;
  }

  async labels(): Promise<Labels> {
    return structuredClone(this.#labels);
  }

  async label(marking: Marking): Promise<Labels> {
    this.#labels = marked(this.#labels, marking);
    return this.labels();
  }

  async session(options: SessionOptions): Promise<SessionView> {
    const { overview } = this.report;
    if (overview.kind !== 'session') {
      throw new Error('This is a report on traces; it has no session.');
    }
    if (isSameOptions(options, overview.view.options)) return overview.view;
    throw new Error(
      'A report cannot recompute: it shows the options it was made with. '
        + 'To change options, open the data with fathom ui.',
    );
  }

  #answer(question: Question): Said {
    const { question: asked, answer, overview } = this.report;
    if (!asked || !answer || overview.kind !== 'traces') {
      return { type: 'error', message: 'This report has no ranking.' };
    }
    if (!isSameSelection(question, asked)) {
      return {
        type: 'error',
        message: 'This report answers another question. ' + `To answer it, run ${overview.opens}`,
      };
    }
    if (question.correlator === asked.correlator) return { type: 'ranking', ...answer };
    const correlator = overview.correlators.find(({ name }) => name === question.correlator);
    if (!correlator) {
      return { type: 'error', message: `Unknown correlator ${question.correlator}.` };
    }
    const silent = answer.explanation.silent_correlators[correlator.name];
    if (silent !== undefined) {
      return { type: 'error', message: `${correlator.name} is not available here: ${silent}` };
    }
    const command = this.report.commands?.[correlator.name]?.explain ?? answer.command;
    return { type: 'ranking', ...reranked(answer, correlator, command) };
  }

  /** Where the rest can be seen. */
  #look(): string {
    return `To see it, run ${this.report.overview.opens}`;
  }
}
