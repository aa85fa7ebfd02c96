// `npm run screenshots`: takes the screenshots of the documentation (e2e/*.shot.ts).
import { prepare } from './tools/prepare.mjs'

await prepare()
const { screenshots } = await import('./tools/checks.mjs')
const { failed } = await screenshots(process.argv.slice(2))
process.exitCode = failed ? 1 : 0
