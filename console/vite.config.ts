import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the API listens while the console is developed. */
const api = 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    target: 'es2022',
    // files stay files: the content policy has no room for data: URLs
    assetsInlineLimit: 0,
    // every browser of the target loads modules ahead by itself
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onwarn: (warning, warn) => {
        // libraries mark their files for a kind of server that we have not
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  server: {
    proxy: { '/v1': api, '/config.json': api },
  },
})
