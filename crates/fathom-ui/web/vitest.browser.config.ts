import { defineConfig } from 'vitest/config';

// The page in a real browser, served by the real program: FATHOM says which.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Patience, not a limit: under load a page takes seconds to compute and draw.
    expect: { poll: { timeout: 30_000, interval: 100 } },
    // Two cores.
    fileParallelism: false,
  },
});
