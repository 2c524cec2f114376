// What a run is called in a sentence.

/** "run 3"; many are already called run-something. */
export function runName(run: string): string {
  return /^run/i.test(run) ? run : `run ${run}`;
}
