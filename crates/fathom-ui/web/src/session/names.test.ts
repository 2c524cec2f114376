import { describe, expect, it } from 'vitest';
import { shortened } from './names';

describe('names', () => {
  it('keep both ends, and whole letters', () => {
    expect(shortened('abcdefghij', 7)).toBe('abc…hij');
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('🦀🦀🦀🦀', 3)).toBe('🦀…🦀');
    expect(shortened('abcdef', 1)).toBe('…');
  });
});
