import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { at } from './paths.mjs'

// Found from the server, whose dependency it is; `require` finds the CommonJS twin of the file that a bundle can shake.
const kysely = createRequire(at('server', 'package.json')).resolve('kysely').replace('/cjs/', '/esm/')

/**
 * `packages: 'external'` leaves every bare import out of the bundle, the contract too, and Node cannot run its TypeScript.
 * So the contract is resolved to its source by hand and becomes part of the bundle.
 * @type {import('esbuild').Plugin}
 */
const inside = {
  name: 'inside',
  setup(bundler) {
    bundler.onResolve({ filter: /^@trunkline\/contract\// }, ({ path }) => {
      const inner = path.slice('@trunkline/contract/'.length)
      return { path: at('contract', 'src', `${inner}.ts`) }
    })
    // Hundreds of small files that nothing else uses: as part of the bundle they cost a tenth of the time at every start.
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
