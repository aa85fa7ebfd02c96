import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { getUnsupportedNodeMessage } from './node-version.mjs'
import { root } from './paths.mjs'
import { exitWithError, runOrExit } from './run.mjs'

// Everything that this file imports uses only Node's built-in modules, because a fresh clone has no dependencies.

/**
 * Prepares a command: checks Node, changes to the project's folder, and installs the dependencies if necessary.
 * Exits with a message if one of these fails.
 */
export const prepare = async () => {
  const problem = getUnsupportedNodeMessage(process.versions.node)
  if (problem) exitWithError(problem)
  process.chdir(root)
  await runOrExit(ensureInstalled)
}

/** Prepares a command as `prepare` does, and builds what has changed since the last build. */
export const prepareBuild = async () => {
  await prepare()
  await runOrExit(ensureBuilt)
}
