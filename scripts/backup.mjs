// `npm run backup -- FILE`: copies the embedded database while the server runs.
import { resolve } from 'node:path'
import { backUp, BackupError, getDatabaseFile } from './tools/backup.mjs'

const [target] = process.argv.slice(2)
try {
  if (!target) throw new BackupError('The path of the backup is missing. Run: npm run backup -- /path/to/backup.sqlite')
  // npm starts scripts in the project's folder. INIT_CWD is the folder where the user ran npm.
  const callerFolder = process.env.INIT_CWD ?? process.cwd()
  const source = getDatabaseFile(process.env, callerFolder)
  const file = resolve(callerFolder, target)
  backUp(source, file)
  console.log(`Copied ${source} to ${file}`)
} catch (error) {
  console.error(`No backup was made. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
