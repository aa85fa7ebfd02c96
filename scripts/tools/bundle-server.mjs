import { rmSync } from 'node:fs'
import { build } from 'esbuild'
import { projectPath } from './paths.mjs'
import { serverBundleOptions } from './server-bundle-options.mjs'

rmSync(projectPath('server', 'dist'), { recursive: true, force: true })
await build({
  ...serverBundleOptions,
  entryPoints: ['main', 'doctor', 'move-calls'].map((name) => projectPath('server', 'src', `${name}.ts`)),
  outdir: projectPath('server', 'dist'),
  // Adapters that are imported on demand become files of their own, so that their libraries load on first use.
  splitting: true,
  sourcemap: true,
  // Stack traces need only names and positions.
  sourcesContent: false,
})
