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
