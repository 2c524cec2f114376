// The charts as one picture: every element with `data-picture` gives its canvas and its title.

/** A part of the page that shows less than it has, such as a list that scrolls. */
export interface Pictured {
  /** Shows all that fits a picture, as wide as the widest chart; how many things do not. */
  prepare: (width: number) => Promise<number>;
  restore: () => void;
}

interface Call {
  width: number;
  wait: (prepared: Promise<number>) => void;
}

const PREPARE = 'fathom:picture';
const RESTORE = 'fathom:pictured';
/** What waits longer for its data is drawn without, and says so. */
const PATIENCE = 30_000;
/** Browsers draw no canvas longer than this. */
const LONGEST = 16_000;

const MARGIN = 16;
const TITLE = 26;
const CAPTION = 20;

/** Lets a part take part in pictures, until the answer is called. */
export function onPicture(element: HTMLElement, part: Pictured): () => void {
  const prepare = (event: Event) => {
    const { width, wait } = (event as CustomEvent<Call>).detail;
    wait(part.prepare(width));
  };
  element.addEventListener(PREPARE, prepare);
  element.addEventListener(RESTORE, part.restore);
  element.dataset['pictured'] = '';
  return () => {
    element.removeEventListener(PREPARE, prepare);
    element.removeEventListener(RESTORE, part.restore);
  };
}

/** All charts below `root`, one under the other, as a PNG. */
export async function picture(root: HTMLElement, title: string): Promise<Blob> {
  const parts = [...root.querySelectorAll<HTMLElement>('[data-pictured]')];
  try {
    const prepared: Promise<number>[] = [];
    const width = Math.max(0, ...charts(root).map(({ canvas }) => canvas.clientWidth));
    const call: Call = { width, wait: (one) => prepared.push(one) };
    for (const part of parts) part.dispatchEvent(new CustomEvent(PREPARE, { detail: call }));
    const left = (await Promise.all(prepared)).reduce((sum, one) => sum + one, 0);
    await loaded(root);
    return await composed(root, title, left);
  } finally {
    for (const part of parts) part.dispatchEvent(new CustomEvent(RESTORE));
  }
}

async function loaded(root: HTMLElement): Promise<void> {
  const until = performance.now() + PATIENCE;
  do await new Promise(requestAnimationFrame);
  while (root.querySelector('[data-loading]') && performance.now() < until);
  // One more for what has just come to be drawn.
  await new Promise(requestAnimationFrame);
}

export interface Piece {
  caption: string;
  /** In CSS pixels. */
  width: number;
  height: number;
}

export interface Layout {
  width: number;
  height: number;
  /** Where each piece's caption begins; its canvas is below. Pieces that do not fit have none. */
  tops: number[];
  /** How many charts are not in it. */
  left: number;
}

/** One under the other, as many as fit into a picture of this length; this many more are left out anyway. */
export function laidOut(pieces: readonly Piece[], leftOut: number, longest: number): Layout {
  const tops: number[] = [];
  let height = MARGIN + TITLE;
  for (const piece of pieces) {
    const next = height + CAPTION + piece.height;
    if (next + TITLE + MARGIN > longest) break;
    tops.push(height);
    height = next;
  }
  const left = leftOut + pieces.length - tops.length;
  const width = Math.max(0, ...pieces.map((piece) => piece.width)) + 2 * MARGIN;
  return { width, height: height + (left > 0 ? TITLE : 0) + MARGIN, tops, left };
}

/** In the order of the page. */
function charts(root: HTMLElement): { canvas: HTMLCanvasElement; caption: string }[] {
  return [...root.querySelectorAll<HTMLElement>('[data-picture]')].flatMap((element) => {
    const canvas = element.querySelector('canvas');
    if (!canvas || canvas.clientWidth === 0) return [];
    const missing = element.dataset['loading'] === undefined ? '' : ' · data not loaded';
    return [{ canvas, caption: (element.dataset['picture'] ?? '') + missing }];
  });
}

async function composed(root: HTMLElement, title: string, leftOut: number): Promise<Blob> {
  const found = charts(root);
  const pieces = found.map(({ canvas, caption }): Piece => ({
    caption,
    width: canvas.clientWidth,
    height: canvas.clientHeight,
  }));
  if (pieces.length === 0) throw new Error('There is no chart to export. Choose a target first.');
  const ratio = devicePixelRatio;
  const layout = laidOut(pieces, leftOut, LONGEST / ratio);
  const sheet = document.createElement('canvas');
  sheet.width = Math.round(layout.width * ratio);
  sheet.height = Math.round(layout.height * ratio);
  const context = sheet.getContext('2d');
  if (!context) throw new Error('This browser cannot draw pictures (no canvas).');
  context.scale(ratio, ratio);
  const style = getComputedStyle(root);
  const body = getComputedStyle(document.body);
  context.fillStyle = body.backgroundColor;
  context.fillRect(0, 0, layout.width, layout.height);
  context.fillStyle = style.color;
  context.textBaseline = 'top';
  context.font = `600 15px ${style.fontFamily}`;
  context.fillText(title, MARGIN, MARGIN, layout.width - 2 * MARGIN);
  context.font = `12px ${style.fontFamily}`;
  layout.tops.forEach((top, n) => {
    const [chart, piece] = [found[n], pieces[n]];
    if (!chart || !piece) return;
    context.fillText(piece.caption, MARGIN + 4, top + 4, layout.width - 2 * MARGIN);
    context.drawImage(chart.canvas, MARGIN, top + CAPTION, piece.width, piece.height);
  });
  if (layout.left > 0) {
    const words = `${layout.left} more ${layout.left === 1 ? 'chart does' : 'charts do'} not fit in this picture.`;
    context.fillText(words, MARGIN + 4, layout.height - MARGIN - 16);
  }
  return await new Promise((resolve, reject) => {
    sheet.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The browser could not create a PNG of the charts.'));
    }, 'image/png');
  });
}
