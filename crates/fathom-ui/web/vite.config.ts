import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One file with everything inside, so that the server has one answer and a report is complete.
export default defineConfig({
  plugins: [svelte(), viteSingleFile({ removeViteModuleLoader: true })],
  build: { target: 'es2022', outDir: process.env['FATHOM_WEB_OUT'] ?? 'dist', emptyOutDir: true },
});
