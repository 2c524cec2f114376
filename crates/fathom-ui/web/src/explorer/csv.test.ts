import { describe, expect, it } from 'vitest';
import type { Ranked } from '../contract';
import { csv, labelsCsv, number, rankingCsv, sparkline } from './csv';

describe('numbers', () => {
  it('are as Rust writes them', () => {
    expect([0, -0, 1, 0.1, 1e21, 1.5e300, 1e-7, -1.25e-9, 5e-324, 123456.789].map(number)).toEqual([
      '0',
      '-0',
      '1',
      '0.1',
      '1000000000000000000000',
      `15${'0'.repeat(299)}`,
      '0.0000001',
      '-0.00000000125',
      `0.${'0'.repeat(323)}5`,
      '123456.789',
    ]);
    expect([null, 'inf', '-inf'].map((one) => number(one as null))).toEqual(['', 'inf', '-inf']);
  });

  it('give themselves back', () => {
    let seed = 3;
    for (let n = 0; n < 2000; n += 1) {
      seed = (seed * 48271) % 2147483647;
      const value = (seed - 1e9) * 10 ** ((seed % 80) - 40) * 1.1;
      const text = number(value);
      expect(Number(text)).toBe(value);
      expect(text).not.toContain('e');
    }
  });
});

describe('pictures', () => {
  it('are as the terminal draws them', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
    expect(sparkline([0, null, 8, 4])).toBe('▁ █▅');
    expect(sparkline([5, 5, null])).toBe('▁▁ ');
    expect(sparkline([null])).toBe(' ');
    expect(sparkline([-1e308, 1e308])).toBe('▁█');
    expect(sparkline([])).toBe('');
  });
});

describe('records', () => {
  it('are quoted where needed', () => {
    expect(csv([['a,b', 'c "d"', 'e f', 'g\nh']])).toBe('"a,b","c ""d""",e f,"g\nh"\n');
  });

  it('are no formulas', () => {
    expect(csv([['=1+1', '@x', '-a', '+b', "'=c", '-5', '-inf', '+2.5e-3', 'a=b']])).toBe(
      "'=1+1,'@x,'-a,'+b,''=c,-5,-inf,+2.5e-3,a=b\n",
    );
  });

  it('have the columns of fathom explain', () => {
    const row: Ranked = {
      rank: 1,
      metric: 'gc,pause',
      layer: 'vm',
      unit: 's',
      score: 'inf',
      sign: -1,
      lag: -0.3,
      p_value: 0.1,
      q_value: 2e-7,
      ranked_by: 'shape',
      change: null,
      shape: null,
      correlators: {},
      run: 'run-2',
      scored_in_runs: 1,
      same_sign_in_runs: 1,
      copy_of: null,
      derived: null,
      random_walk: false,
      outline: [0, 7],
      says: 'rose 38%, 12 sigma',
    };
    expect(
      rankingCsv({ ranking: [row, { ...row, rank: 2, metric: 'b', score: null, lag: null, copy_of: 'gc,pause' }] }),
    ).toBe(
      'rank,metric,layer,score,sign,lag_s,q_value,run,copy_of,says,shape\n'
        + '1,"gc,pause",vm,inf,-1,-0.30000000000000004,0.0000002,run-2,,"rose 38%, 12 sigma",▁█\n'
        + '2,b,vm,,-1,,0.0000002,run-2,"gc,pause","rose 38%, 12 sigma",▁█\n',
    );
  });

  it('of labels have the target', () => {
    const of_windows = [
      {
        target: 'ipc',
        run: 'run-1',
        windows: [
          [1, 2],
          [4, 5.5],
        ] as [number, number][],
        labels: { gc: 'no' as const },
      },
      { target: 'ipc', run: 'run-1', windows: [], labels: { gc: 'maybe' as const } },
    ];
    expect(labelsCsv({ labels: { ipc: { gc: 'yes' } }, of_windows })).toBe(
      'target,metric,label,run,windows_s\nipc,gc,yes,,\nipc,gc,no,run-1,1..2 4..5.5\nipc,gc,maybe,run-1,all\n',
    );
  });
});
