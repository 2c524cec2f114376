import { expect, test } from 'vitest';
import type { DrawnFigure } from '../contract';
import { svgFile } from './svg_file';

const drawing = {
  width: 10,
  height: 5,
  marks: [],
  shapes: [
    { kind: 'path', class: 'line', d: 'M0 0L1 1' },
    { kind: 'text', class: 'label', x: 1, y: 2, text: '<script>&"' },
  ],
} as const;

test('names from elsewhere are text', () => {
  const figure: DrawnFigure = {
    id: 'margins',
    title: 'a</title><script>',
    says: "it's",
    wide: { ...drawing, shapes: [...drawing.shapes], marks: [] },
    narrow: { ...drawing, shapes: [], marks: [] },
    readings: [],
    note: null,
    table: { head: [], rows: [] },
  };
  const text = svgFile(figure, '.line{}');
  expect(text).toContain('<path class="line" d="M0 0L1 1"/>');
  expect(text).toContain('<text class="label" x="1" y="2">&lt;script&gt;&amp;&quot;</text>');
  expect(text).toContain('<title>a&lt;/title&gt;&lt;script&gt;</title>');
  expect(text).not.toContain('<script');
});
