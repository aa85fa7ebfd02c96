import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { projectPath } from './paths.mjs'

// Resolved from the server, which depends on it. `require` finds the CommonJS build; the ESM build supports tree
// shaking.
const kysely = createRequire(projectPath('server', 'package.json')).resolve('kysely').replace('/cjs/', '/esm/')

/**
 * `packages: 'external'` leaves every bare import out of the bundle, including the contract, whose TypeScript Node
 * cannot run. This plugin resolves the contract to its sources, so that they are bundled.
 * @type {import('esbuild').Plugin}
 */
const bundleContract = {
  name: 'bundle-contract',
  setup(bundler) {
    bundler.onResolve({ filter: /^@trunkline\/contract\// }, ({ path }) => {
      const modulePath = path.slice('@trunkline/contract/'.length)
      return { path: projectPath('contract', 'src', `${modulePath}.ts`) }
    })
    // Hundreds of small files that only the server uses: bundling them saves a tenth of the startup time.
    bundler.onResolve({ filter: /^kysely$/ }, () => ({ path: kysely }))
  },
}

rmSync(projectPath('server', 'dist'), { recursive: true, force: true })
await build({
  entryPoints: ['main', 'doctor', 'move-calls'].map((name) => projectPath('server', 'src', `${name}.ts`)),
  outdir: projectPath('server', 'dist'),
  bundle: true,
  // Adapters that are imported on demand become files of their own, so that their libraries load on first use.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [bundleContract],
  sourcemap: true,
  logLevel: 'warning',
})
