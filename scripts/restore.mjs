// `npm run restore -- BACKUP`: replaces the data of the embedded default by a backup. The server must be stopped.
import { resolve } from 'node:path'
import { getInstallation, readBackupName, restoreInstallation } from './tools/backup.mjs'

const usage = `Usage: npm run restore -- BACKUP (in the packages: trunkline restore BACKUP)
Replaces the data of a stopped server by a backup. The previous data is moved to a folder before-restore-... in DATA_DIR.`

/** @param {string} backup */
const run = (backup) => {
  // npm starts scripts in the project's folder. INIT_CWD is the folder where the user ran npm.
  const callerFolder = process.env.INIT_CWD ?? process.cwd()
  const installation = getInstallation(process.env, callerFolder)
  const previousName = `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`
  restoreInstallation(resolve(callerFolder, backup), installation, previousName)
  console.log(`Restored ${installation.database}. The previous data is in ${previousName}, in ${installation.dataDir}.`)
  console.log('Start the server, and delete that folder once everything works.')
}

const name = readBackupName(process.argv.slice(2), usage)
try {
  if (name) run(name)
} catch (error) {
  console.error(`Nothing was restored. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
