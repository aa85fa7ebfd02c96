import { root } from './tools/paths.mjs'
import { runOrExit } from './tools/run.mjs'

process.chdir(root)
const { ensureInstalled } = await import('./tools/install.mjs')
await runOrExit(ensureInstalled)
const { screenshots } = await import('./tools/checks.mjs')
const { failed } = await screenshots(process.argv.slice(2))
process.exitCode = failed ? 1 : 0
