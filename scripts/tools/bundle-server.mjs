import { rmSync } from 'node:fs'
import { build } from 'esbuild'
import { at } from './paths.mjs'

/**
 * `packages: 'external'` leaves every bare import out of the bundle, the contract too, and Node cannot run its TypeScript.
 * So the contract is resolved to its source by hand and becomes part of the bundle.
 * @type {import('esbuild').Plugin}
 */
const contractInside = {
  name: 'contract-inside',
  setup(bundler) {
    bundler.onResolve({ filter: /^@trunkline\/contract(\/|$)/ }, ({ path }) => {
      const inner = path.slice('@trunkline/contract'.length) || '/index'
      return { path: at('contract', 'src', `${inner.slice(1)}.ts`) }
    })
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
  plugins: [contractInside],
  sourcemap: true,
  logLevel: 'warning',
})
