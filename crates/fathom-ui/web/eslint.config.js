import { defineConfig, globalIgnores } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import typescript from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

// Formatting is Prettier's, types are svelte-check's: here is what neither sees.
export default defineConfig(
  globalIgnores(['dist', 'node_modules']),
  typescript.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      // `({ correlator: _, ...rest }) => rest` leaves a field out; an underscore marks what a signature asks for.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { extraFileExtensions: ['.svelte'], parser: typescript.parser, svelteConfig },
    },
    rules: {
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
      // Lists of a session are drawn whole; their items have no identity that a key could name.
      'svelte/require-each-key': 'off',
      // Sets are replaced, never changed: they are `$state.raw<ReadonlySet<…>>`.
      'svelte/prefer-svelte-reactivity': 'off',
      // `{' '}` is a space that must not be lost at the edge of a block.
      'svelte/no-useless-mustaches': 'off',
    },
  },
  // A program for the terminal.
  { files: ['tests/speed.mjs'], rules: { 'no-console': 'off' } },
);
