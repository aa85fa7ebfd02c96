// `npm run bench`: builds the product and measures its speed (bench/run.ts has the options). With BENCH_COMPARE, compares
// two running servers instead (bench/compare.ts).
import { findChromium } from './tools/chromium.mjs'
import { prepare, prepareBuild } from './tools/prepare.mjs'
import { runNode } from './tools/run.mjs'

const isComparison = Boolean(process.env.BENCH_COMPARE)
await (isComparison ? prepare() : prepareBuild())
const script = isComparison ? 'bench/run-compare.ts' : 'bench/run.ts'
const args = ['--import', 'tsx', script, ...process.argv.slice(2)]
const env = isComparison ? {} : { CHROMIUM_PATH: (await findChromium()) ?? '' }
const { code } = await runNode(args, { env })
process.exitCode = code
