import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Question, Said } from '../contract';
import { readLines } from './lines';
import { LiveSource } from './live';

const question: Question = {
  target: 'ipc',
  run: 'a',
  windows: [[1, 2]],
  baseline: null,
  segments: 'auto',
  pattern: null,
  common: null,
  normalise: false,
  penalty: 0,
  correlator: 'combined',
  score_in: 'nearest',
};

function stream(chunks: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const one of chunks) {
        controller.enqueue(typeof one === 'string' ? new TextEncoder().encode(one) : one);
      }
      controller.close();
    },
  });
}

async function read(chunks: (string | Uint8Array)[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  await readLines(stream(chunks), (value) => seen.push(value));
  return seen;
}

describe('lines', () => {
  it('are whole wherever the stream was cut', async () => {
    const text = '{"a":1}\n{"b":"é\\n"}\n\n[3]';
    const bytes = new TextEncoder().encode(text);
    const wanted = [{ a: 1 }, { b: 'é\n' }, [3]];
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(wanted);
    }
    expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(wanted);
  });

  it('come one by one, not at the end', async () => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
    const seen: unknown[] = [];
    const all = readLines(body, (value) => seen.push(value));
    controller?.enqueue(new TextEncoder().encode('1\n2'));
    await vi.waitFor(() => expect(seen).toEqual([1]));
    controller?.close();
    await all;
    expect(seen).toEqual([1, 2]);
  });

  it('that break off are said to', async () => {
    await expect(read(['{"a":1}\n{"b":'])).rejects.toThrow('cut off');
  });

  it('stop when the listener throws', async () => {
    const cancelled = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('1\n2\n')),
      cancel: cancelled,
    });
    const listener = () => {
      throw new Error('enough');
    };
    await expect(readLines(body, listener)).rejects.toThrow('enough');
    expect(cancelled).toHaveBeenCalledOnce();
  });
});

describe('the live source', () => {
  afterEach(() => vi.unstubAllGlobals());
  const answer = (response: () => Response) => {
    const fetched = vi.fn((_address: string, _request: RequestInit) => Promise.resolve(response()));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  };

  it('asks below its own address', async () => {
    const fetched = answer(() => Response.json({ time: [] }));
    await new LiveSource().series({ run: 'run 1', metric: 'a&b=c', columns: 500, from: 0.5 });
    expect(fetched.mock.calls[0]?.[0]).toBe('api/series?run=run+1&metric=a%26b%3Dc&columns=500&from=0.5');
  });

  it('hands over what is said', async () => {
    answer(() => new Response(stream(['{"type":"progress","stage":"aligning",', '"done":1,"of":2}\n'])));
    const said: Said[] = [];
    await new LiveSource().explain(question, (one) => said.push(one));
    expect(said).toEqual([{ type: 'progress', stage: 'aligning', done: 1, of: 2 }]);
  });

  it('repeats the words of a refusal, and finds its own if there are none', async () => {
    answer(() => Response.json({ message: 'there is no run x' }, { status: 404 }));
    await expect(new LiveSource().suggestions('x', 'y')).rejects.toThrow('there is no run x');
    answer(() => new Response('no such metric', { status: 404 }));
    await expect(new LiveSource().overview()).rejects.toThrow('no such metric');
    answer(() => new Response('', { status: 500 }));
    await expect(new LiveSource().overview()).rejects.toThrow('status 500');
  });

  it('says so when the program is gone', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await expect(new LiveSource().labels()).rejects.toThrow('fathom ui');
  });

  it('lets an abort be an abort', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('stopped', 'AbortError')));
    await expect(new LiveSource().labels()).rejects.toThrow(DOMException);
  });

  it('fails where a warp fails', async () => {
    answer(() => new Response('{"type":"error","message":"no metric is in all runs"}\n'));
    const asked = new LiveSource().warps(question, () => undefined);
    await expect(asked).rejects.toThrow('no metric is in all runs');
  });
});
