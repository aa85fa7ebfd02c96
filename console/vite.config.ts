import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { createChunkNamer } from '../scripts/tools/console-chunks.mjs'
import { omitRouteSummaries } from '../scripts/tools/omit-route-summaries.mjs'
import { preloadModules } from '../scripts/tools/preload-modules.mjs'
import { compactIcons } from '../scripts/tools/compact-icons.mjs'
import { compileEagerly } from '../scripts/tools/compile-eagerly.mjs'

/** The API server during console development. */
const apiOrigin = 'http://127.0.0.1:3000'

/** A short hash of a style sheet's path, the same on every machine. */
const hashPath = (file: string) =>
  createHash('sha256')
    .update(relative(import.meta.dirname, file))
    .digest('base64url')
    .slice(0, 5)

export default defineConfig({
  plugins: [omitRouteSummaries(), preloadModules(), compactIcons(), compileEagerly(), react()],
  resolve: {
    alias: {
      // the same hook without its fallback for React 17
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
    },
  },
  css: {
    // Shorter than the default name, which has a hash and a line number
    modules: { generateScopedName: (name: string, file: string) => `${name}_${hashPath(file)}` },
  },
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // One per cent smaller than the default minifier.
    minify: 'terser',
    terserOptions: { module: true, ecma: 2020, compress: { passes: 4 }, format: { comments: false } },
    target: 'es2022',
    // never inline assets: the Content-Security-Policy forbids data: URLs
    assetsInlineLimit: 0,
    // every target browser supports module preloading
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ debugName: 'areas', name: createChunkNamer() }],
        },
      },
      onwarn: (warning, warn) => {
        // libraries mark files for React Server Components, which we do not use
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
  server: {
    proxy: { '/v1': apiOrigin, '/config.json': apiOrigin },
  },
})
