import { spawnSync } from 'node:child_process'
import { root } from './tools/paths.mjs'
import { runOrExit } from './tools/run.mjs'

process.chdir(root)
const { ensureInstalled } = await import('./tools/install.mjs')
await runOrExit(ensureInstalled)
const { ensureBuilt } = await import('./tools/build.mjs')
await runOrExit(ensureBuilt)
const { findChromium } = await import('./tools/chromium.mjs')
const chromium = await findChromium()

const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: chromium ?? '' },
})
process.exitCode = status ?? 1
