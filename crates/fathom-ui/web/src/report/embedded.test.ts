import { describe, expect, it } from 'vitest';
import type { Ribbon, Said } from '../contract';
import { Embedded, embedded } from './embedded';
import { QUESTION, exampleReport } from './example_report';

function page(text: string | null): Document {
  const found = text === null ? null : { textContent: text };
  return { getElementById: (id: string) => (id === 'fathom-report' ? found : null) } as unknown as Document;
}

async function said(question: Partial<typeof QUESTION>): Promise<Said> {
  const all: Said[] = [];
  await new Embedded(exampleReport()).explain({ ...QUESTION, ...question }, (one) => all.push(one));
  expect(all).toHaveLength(1);
  return all[0]!;
}

describe('a report', () => {
  it('is what the page has inside, or there is none', async () => {
    expect(embedded(page(null))).toBeNull();
    const source = embedded(page(JSON.stringify(exampleReport())))!;
    expect(source.live).toBe(false);
    expect(await source.overview()).toEqual(exampleReport().overview);
    expect(source.asked?.question).toEqual(QUESTION);
    expect(source.thinned).toBeUndefined();
    const thinned = new Embedded({ ...exampleReport(), thinned: 'Half of it was left out.' });
    expect(thinned.thinned).toBe('Half of it was left out.');
  });

  it('has the lines that were put in, and says which it has not', async () => {
    const source = new Embedded(exampleReport());
    expect((await source.series({ run: 'run-1', metric: 'latency', columns: 500 })).time).toEqual([0, 10, 20, 30]);
    await expect(source.series({ run: 'run-1', metric: 'idle', columns: 500 })).rejects.toThrow(
      "The values of idle in run-1 are not in this report. To see it, run fathom ui 'my traces'",
    );
    expect(await source.suggestions()).toEqual([]);
  });

  it('has one alignment', async () => {
    const source = new Embedded(exampleReport());
    const ribbons: Ribbon[] = [];
    await source.warps(QUESTION, (one) => ribbons.push(one));
    expect(ribbons.map((one) => one.to)).toEqual(['run-2']);
    await expect(source.warps({ ...QUESTION, run: 'run-2' }, () => {})).rejects.toThrow(
      'This report has runs aligned for latency of run-1 only',
    );
  });

  it('has one segmentation, whatever ranks', async () => {
    const source = new Embedded(exampleReport());
    expect((await source.segments({ ...QUESTION, correlator: 'pearson' })).count).toBe(1);
    await expect(source.segments({ ...QUESTION, segments: 4 })).rejects.toThrow("run fathom ui 'my traces'");
  });

  it('is opened again by its own command, or from its traces', async () => {
    const source = new Embedded(exampleReport());
    const opening = (question: Partial<typeof QUESTION>) =>
      source.opening({ question: { ...QUESTION, ...question }, selects: true });
    expect(await opening({ correlator: 'pearson' })).toBe(
      "fathom ui 'my traces' --target latency --window 12..14 --correlator pearson",
    );
    expect(await opening({ windows: [] })).toBe("fathom ui 'my traces'");
  });

  it('may have no segmentation at all', async () => {
    const source = new Embedded({ ...exampleReport(), segmentation: null });
    await expect(source.segments(QUESTION)).rejects.toThrow('not in this report');
  });
});

describe('a question to a report', () => {
  it('gets the stored answer if it is the stored one', async () => {
    const answer = { type: 'ranking', ...exampleReport().answer };
    expect(await said({})).toEqual(answer);
    expect(await said({ windows: [[12 + 1e-12, 14]] })).toEqual(answer);
  });

  it('gets the command that opens the traces if it is another one', async () => {
    expect(await said({ windows: [[12, 15]] })).toEqual({
      type: 'error',
      message: "This report answers another question. To answer it, run fathom ui 'my traces'",
    });
  });

  it('is ranked anew by another correlator', async () => {
    const answer = await said({ correlator: 'pearson' });
    if (answer.type !== 'ranking') throw new Error(answer.type);
    expect(answer.explanation.ranking.map((row) => row.metric)).toEqual(['faults', 'faults.copy', 'gc.pause', 'idle']);
    expect(answer.command).toContain('--correlator pearson');
  });

  it('says why a correlator is silent', async () => {
    expect(await said({ correlator: 'manual_pattern' })).toEqual({
      type: 'error',
      message: 'manual_pattern is not available here: no pattern was drawn',
    });
    expect((await said({ correlator: 'nonsense' })).type).toBe('error');
  });
});

describe('labels in a report', () => {
  it('begin with those put in, and last as long as the page', async () => {
    const report = exampleReport();
    const source = new Embedded(report);
    await source.label({ target: 'latency', metric: 'faults', label: null });
    const { labels, saved_in } = await source.label({ target: 'latency', metric: 'gc.pause', label: 'maybe' });
    expect(labels).toEqual({ latency: { 'gc.pause': 'maybe' } });
    expect(saved_in).toBeNull();
    expect(report.labels?.labels).toEqual({ latency: { faults: 'yes' } });
  });

  it('are safe from names that mean something to the language', async () => {
    const source = new Embedded(exampleReport());
    const { labels } = await source.label({ target: '__proto__', metric: '__proto__', label: 'no' });
    expect(Object.hasOwn(labels, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['__proto__']).toBe(Object.prototype);
  });
});

describe('a session in a report', () => {
  const options = {
    confidence: 0.95,
    outliers: 'flag',
    outlier_method: 'simplified',
    steady_state: 'auto',
    statistic: 'median',
  } as const;
  const source = new Embedded({
    made_by: '',
    made: '',
    thinned: null,
    overview: {
      kind: 'session',
      title: '12',
      opens: 'fathom ui 12',
      view: {
        verdict: { sentence: '', tone: 'plain' },
        command_line: '',
        options,
        options_note: null,
        subjects: [],
        comparisons: [],
        growth: [],
        work_lines: [],
        warnings: [],
      },
    },
  });

  it('is as it was put in', async () => {
    expect((await source.session(options)).options).toEqual(options);
    await expect(source.session({ ...options, outliers: 'remove' })).rejects.toThrow('open the data with fathom ui');
  });

  it('is not in a report of traces', async () => {
    await expect(new Embedded(exampleReport()).session(options)).rejects.toThrow('on traces');
  });
});
