// Data from the program that served the page.

import type {
  Commands,
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
import { readLines } from './lines';
import type { DataSource, SeriesQuery, WarpQuestion } from './source';

const GONE = 'Fathom does not respond. If it was stopped, start “fathom ui” again and open the address it prints.';

/** Whether a request was called off by the page itself. */
export function wasAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export class LiveSource implements DataSource {
  readonly live = true;

  overview(): Promise<Overview> {
    return this.#json('api/overview');
  }

  series({ run, metric, columns, from, to }: SeriesQuery, signal?: AbortSignal): Promise<Series> {
    return this.#json(`api/series?${query({ run, metric, columns, from, to })}`, { signal });
  }

  async explain(question: Question, on: (said: Said) => void, signal?: AbortSignal): Promise<void> {
    const response = await answered('api/explain', { ...posting(question), signal });
    await lines<Said>(response, on);
  }

  async warps(question: WarpQuestion, on: (ribbon: Ribbon) => void, signal?: AbortSignal): Promise<void> {
    const { run, target, common, normalise, penalty } = question;
    const asked = query({ run, target, common: common ?? undefined, normalise, penalty });
    const response = await answered(`api/warps?${asked}`, { signal });
    await lines<Ribbon | { type: 'error'; message: string }>(response, (one) => {
      if ('message' in one) throw new Error(one.message);
      on(one);
    });
  }

  segments(question: Question, signal?: AbortSignal): Promise<Segmentation> {
    return this.#json('api/segments', { ...posting(question), signal });
  }

  context(question: Question): Promise<Context> {
    return this.#json('api/context', posting(question));
  }

  suggestions(run: string, metric: string, signal?: AbortSignal): Promise<Suggestion[]> {
    return this.#json(`api/suggestions?${query({ run, metric })}`, { signal });
  }

  async opening(view: ViewQuery): Promise<string> {
    const { ui } = await this.#json<Commands>('api/commands', posting(view));
    return ui;
  }

  labels(): Promise<Labels> {
    return this.#json('api/labels');
  }

  label(marking: Marking): Promise<Labels> {
    return this.#json('api/labels', { ...posting(marking), method: 'PUT' });
  }

  session(options: SessionOptions, signal?: AbortSignal): Promise<SessionView> {
    return this.#json('api/session', { ...posting(options), signal });
  }

  async #json<T>(address: string, request: Asking = {}): Promise<T> {
    const response = await answered(address, request);
    return (await response.json()) as T;
  }
}

type Asking = Omit<RequestInit, 'signal'> & { signal?: AbortSignal | undefined };

async function answered(address: string, { signal, ...request }: Asking): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { ...request, signal: signal ?? null, cache: 'no-store' });
  } catch (error) {
    throw wasAborted(error) ? error : new Error(GONE);
  }
  if (!response.ok) throw new Error(await reason(response));
  return response;
}

/** The server says why in JSON or in plain words. */
async function reason(response: Response): Promise<string> {
  const text = (await response.text().catch(() => '')).trim();
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said === 'object' && said !== null) {
      const { message, error } = said as { message?: unknown; error?: unknown };
      if (typeof message === 'string') return message;
      if (typeof error === 'string') return error;
    }
  } catch {
    // Not JSON, so these are the words.
  }
  if (text !== '' && text.length < 2000) return text;
  return `Fathom answered with status ${response.status} and no message.`;
}

async function lines<T>(response: Response, on: (value: T) => void): Promise<void> {
  if (response.body === null) throw new Error(GONE);
  try {
    await readLines(response.body, (value) => on(value as T));
  } catch (error) {
    // The stream of a program that ends fails with a bare TypeError.
    throw error instanceof TypeError ? new Error(GONE) : error;
  }
}

function posting(body: unknown): Asking {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

function query(parts: Record<string, string | number | boolean | undefined>): string {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
