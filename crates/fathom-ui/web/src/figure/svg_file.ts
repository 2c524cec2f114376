// A drawn figure as a file of its own, the same that `fathom report --figures` writes.

import type { DrawnFigure, DrawnShape } from '../contract';

const NAMES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/gu, (letter) => NAMES[letter] ?? letter);
}

function element(shape: DrawnShape): string {
  if (shape.kind === 'path') return `<path class="${escaped(shape.class)}" d="${escaped(shape.d)}"/>`;
  return `<text class="${escaped(shape.class)}" x="${shape.x}" y="${shape.y}">${escaped(shape.text)}</text>`;
}

export function svgFile(figure: DrawnFigure, style: string): string {
  const { width, height, shapes } = figure.wide;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="fathom-figure" width="${width}" height="${height}" `
      + `viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(figure.title)}</title>`,
    `<desc>${escaped(figure.says)}</desc>`,
    `<style>${style}</style>`,
    `<path class="paper" d="M0 0H${width}V${height}H0Z"/>`,
    ...shapes.map(element),
    '</svg>\n',
  ].join('\n');
}
