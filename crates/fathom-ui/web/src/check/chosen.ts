// Which question is looked at, as the address says after "#".

/** The place of the question, from 0; the first if the address names none that there is. */
export function chosenIn(fragment: string, questions: number): number {
  const text = new URLSearchParams(fragment.replace(/^#/u, '')).get('question') ?? '1';
  const number = /^\d{1,9}$/u.test(text) ? Number(text) : 1;
  return number >= 1 && number <= questions ? number - 1 : 0;
}

/** The fragment for a question, without "#"; empty for the first. */
export function fragmentOf(place: number): string {
  return place === 0 ? '' : `question=${place + 1}`;
}

/** Where a key leads among so many questions; null if it is for others. */
export function keyedTo(key: string, place: number, questions: number): number | null {
  const to = { j: place + 1, k: place - 1 }[key];
  return to === undefined || to < 0 || to >= questions ? null : to;
}
