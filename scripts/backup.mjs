import { resolve } from 'node:path'
import { backUp, BackupError, databaseFile } from './tools/backup.mjs'

const [target] = process.argv.slice(2)
try {
  if (!target) throw new BackupError('Name the file to write: npm run backup -- /path/to/backup.sqlite')
  // npm starts scripts in the project's folder; resolve a path against the folder where it was typed.
  const typedIn = process.env.INIT_CWD ?? process.cwd()
  const source = databaseFile(process.env, typedIn)
  const file = resolve(typedIn, target)
  backUp(source, file)
  console.log(`${source} was copied to ${file}`)
} catch (error) {
  console.error(`No backup was made. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
