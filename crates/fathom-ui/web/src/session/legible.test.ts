import { expect, it } from 'vitest';
import { legible } from './legible';

it('letters that would steer the text are seen', () => {
  const view = { name: 'a\u202Egnp.exe', list: ['x\u0007', 'two\nlines'], numbers: [1, 2], none: null };
  expect(legible(view)).toEqual({ name: 'a�gnp.exe', list: ['x�', 'two\nlines'], numbers: [1, 2], none: null });
  expect(legible('ordinary – ä 日本 🦀')).toBe('ordinary – ä 日本 🦀');
});
