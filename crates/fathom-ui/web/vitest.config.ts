import { defineConfig, mergeConfig } from 'vitest/config';
import page from './vite.config';

// Apart from vite.config.ts, so that the page is built without what it is tested with.
export default mergeConfig(page, defineConfig({ test: { include: ['src/**/*.test.ts'], environment: 'node' } }));
