// `npm run backup -- FOLDER`: copies the database, the secrets and the recordings of the embedded default while the server
// runs. If the name ends with .sqlite, copies the database alone.
import { resolve } from 'node:path'
import { backUp, backUpInstallation, getInstallation, readBackupName } from './tools/backup.mjs'

const usage = `Usage: npm run backup -- FOLDER (in the packages: trunkline backup FOLDER)
Copies the database, the secrets and the recordings to a new folder. If the name ends with .sqlite, copies the database alone.`

/** @param {string} target */
const run = (target) => {
  // npm starts scripts in the project's folder. INIT_CWD is the folder where the user ran npm.
  const callerFolder = process.env.INIT_CWD ?? process.cwd()
  const installation = getInstallation(process.env, callerFolder)
  const path = resolve(callerFolder, target)
  if (path.endsWith('.sqlite')) backUp(installation.database, path)
  else backUpInstallation(installation, path)
  console.log(`Copied ${path.endsWith('.sqlite') ? installation.database : installation.dataDir} to ${path}`)
}

const name = readBackupName(process.argv.slice(2), usage)
try {
  if (name) run(name)
} catch (error) {
  console.error(`No backup was made. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
