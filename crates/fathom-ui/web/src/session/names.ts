// Names of subjects are command lines, and may be long.

/** Both ends are kept: the first word and the last tell commands apart. */
export function shortened(name: string, most: number): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  if (most < 3) return '…';
  const head = Math.ceil((most - 1) / 2);
  const tail = most - 1 - head;
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - tail).join('')}`;
}

/** How many bold letters there is room for, if they are wide ones. */
export function lettersIn(pixels: number): number {
  return Math.max(0, Math.floor(pixels / 8));
}
