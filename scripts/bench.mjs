// `npm run bench`: builds the product and measures its speed (bench/run.ts has the options).
import { findChromium } from './tools/chromium.mjs'
import { prepareBuild } from './tools/prepare.mjs'
import { runNode } from './tools/run.mjs'

await prepareBuild()
const args = ['--import', 'tsx', 'bench/run.ts', ...process.argv.slice(2)]
const { code } = await runNode(args, { env: { CHROMIUM_PATH: (await findChromium()) ?? '' } })
process.exitCode = code
