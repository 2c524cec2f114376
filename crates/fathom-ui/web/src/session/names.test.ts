import { describe, expect, it } from 'vitest';
import { quoted, shortened } from './names';

describe('names', () => {
  it('keep both ends, and whole letters', () => {
    expect(shortened('abcdefghij', 7)).toBe('abc…hij');
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('🦀🦀🦀🦀', 3)).toBe('🦀…🦀');
    expect(shortened('abcdef', 1)).toBe('…');
  });

  it('are words for a shell', () => {
    expect(quoted('runs/12.json')).toBe('runs/12.json');
    expect(quoted("it's $HOME")).toBe("'it'\\''s $HOME'");
    expect(quoted('')).toBe("''");
  });
});
