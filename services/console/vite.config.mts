import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    assetsInlineLimit: 0,
    sourcemap: true,
    modulePreload: { polyfill: false },
  },
});
