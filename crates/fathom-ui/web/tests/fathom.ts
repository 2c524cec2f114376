// The real program, started as a user would.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';

export const TOP = resolve(import.meta.dirname, '../../../..');
export const SHOP = 'testdata/traces/shop';

/** The program under test: FATHOM, or the debug build. */
const PROGRAM = process.env['FATHOM'] ?? resolve(TOP, 'target/debug/fathom');

/** Runs a command to its end; what it printed. */
export function fathom(...words: string[]): string {
  const done = spawnSync(PROGRAM, words, { cwd: TOP, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (done.status !== 0) throw new Error(`fathom ${words.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

/** What `fathom check` writes, whatever it answers. */
export function checked(...words: string[]): void {
  try {
    fathom('check', '-q', ...words);
  } catch (error) {
    // A broken promise is what these tests are about.
    if (!/fathom check/u.test(String(error))) throw error;
  }
}

/** An execution whose queue is long for a while, and each time a little longer. */
export function execution(number: number): string {
  const times = Array.from({ length: 60 }, (_, place) => place);
  const peak = 4 + ((number * 7) % 9);
  const values = times.map((time) => 2 + Math.sin(time / 4 + number) + (time > 30 && time < 38 ? peak : 0));
  return JSON.stringify({
    schema: 'fathom-execution/1',
    end: 60,
    time_unit: 's',
    scalars: { runtime: { value: 1 + 0.02 * ((number * 13) % 17), unit: 's' } },
    signals: { queue: { times, values } },
    events: { stop: { times: [31, 38] } },
  });
}

export interface Served {
  /** Its first line on standard output. */
  address: string;
  stop(): Promise<void>;
}

/** `fathom ui WORDS`, until it is stopped as by Ctrl-C. */
export async function serve(...words: string[]): Promise<Served> {
  const child = spawn(PROGRAM, ['ui', '--no-open', ...words], { cwd: TOP });
  const address = await firstLine(child);
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  return {
    address,
    stop: () => {
      child.kill('SIGINT');
      return ended;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [said, complained] = ['', ''];
    child.stdout?.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const [line, rest] = said.split('\n', 2);
      if (rest !== undefined) resolve(line ?? '');
    });
    child.stderr?.on('data', (bytes: Buffer) => (complained += bytes.toString()));
    child.once('exit', (status) => reject(new Error(`fathom ui ended with ${status}: ${complained}`)));
  });
}
