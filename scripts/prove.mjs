// `npm run prove`: builds the server and attacks it (prove/run.ts has the options).
import { prepareBuild } from './tools/prepare.mjs'
import { runNode } from './tools/run.mjs'

await prepareBuild()
const { code } = await runNode(['--import', 'tsx', 'prove/run.ts', ...process.argv.slice(2)])
process.exitCode = code
