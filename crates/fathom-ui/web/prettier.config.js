// The width of the Rust code's comments and pages, and quotes as they were before there was a formatter.
export default {
  printWidth: 120,
  singleQuote: true,
  experimentalOperatorPosition: 'start',
  plugins: ['prettier-plugin-svelte'],
  overrides: [{ files: '*.svelte', options: { parser: 'svelte' } }],
};
