import { defineConfig } from 'vitest/config';

// The page in a real browser, served by the real program: FATHOM says which.
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores.
    fileParallelism: false,
  },
});
