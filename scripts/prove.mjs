// `npm run prove`: builds the server and attacks it (prove/options.mjs has the options).
import { OptionError, parseProveOptions, usage } from '../prove/options.mjs'
import { prepareBuild } from './tools/prepare.mjs'
import { runNode } from './tools/run.mjs'

const args = process.argv.slice(2)

const readNeedsHelp = () => {
  try {
    return parseProveOptions(args).needsHelp
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    console.error(`${error.message}\n${usage}`)
    process.exit(1)
  }
}

if (readNeedsHelp()) console.log(usage)
else {
  await prepareBuild()
  const { code } = await runNode(['--import', 'tsx', 'prove/run.ts', ...args])
  process.exitCode = code
}
