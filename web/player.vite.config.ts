// The build of `<alfil-player>` into a folder of the page without a server.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  publicDir: 'player-public',
  build: {
    lib: { entry: 'src/player/player.ts', formats: ['es'], fileName: () => 'alfil-player.js' },
    rollupOptions: { output: { chunkFileNames: '[name].js' } },
    assetsInlineLimit: 0,
  },
});
