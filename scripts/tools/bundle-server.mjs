import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { at } from './paths.mjs'

// Resolved from the server, which depends on it. `require` finds the CommonJS build; the ESM build supports tree
// shaking.
const kysely = createRequire(at('server', 'package.json')).resolve('kysely').replace('/cjs/', '/esm/')

/**
 * `packages: 'external'` leaves every bare import out of the bundle, including the contract, whose TypeScript Node
 * cannot run. So this resolves the contract to its sources and bundles it.
 * @type {import('esbuild').Plugin}
 */
const inside = {
  name: 'inside',
  setup(bundler) {
    bundler.onResolve({ filter: /^@trunkline\/contract\// }, ({ path }) => {
      const inner = path.slice('@trunkline/contract/'.length)
      return { path: at('contract', 'src', `${inner}.ts`) }
    })
    // Hundreds of small files that only the server uses: bundling them saves a tenth of the startup time.
    bundler.onResolve({ filter: /^kysely$/ }, () => ({ path: kysely }))
  },
}

rmSync(at('server', 'dist'), { recursive: true, force: true })
await build({
  entryPoints: [at('server', 'src', 'main.ts')],
  outfile: at('server', 'dist', 'main.js'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [inside],
  sourcemap: true,
  logLevel: 'warning',
})
