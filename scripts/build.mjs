// `npm run build`: builds the server and the console. With `-- --clean` it deletes earlier builds first.
import { clean, ensureBuilt } from './tools/build.mjs'
import { prepare } from './tools/prepare.mjs'
import { runOrExit } from './tools/run.mjs'

await prepare()
if (process.argv.includes('--clean')) clean()
await runOrExit(() => ensureBuilt({ force: true }))
