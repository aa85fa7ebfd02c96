import { readFileSync } from 'node:fs'
import { projectPath } from './paths.mjs'

/** @typedef {{ version?: string, link?: boolean, optionalDependencies?: Record<string, string> }} LockfileEntry */

/** The paths where Node would look for a package, the nearest first. @param {string} from @param {string} name */
const listLookupPaths = (from, name) => {
  const paths = []
  for (let path = from; ; path = path.slice(0, path.lastIndexOf('/node_modules/'))) {
    paths.push(path ? `${path}/node_modules/${name}` : `node_modules/${name}`)
    if (!path.includes('/node_modules/')) {
      if (path) paths.push(`node_modules/${name}`)
      return paths
    }
  }
}

/**
 * Returns the platform packages that the lockfile lacks. npm silently omits one that a mirror does not have yet, and
 * `npm ci` then creates an installation that fails on that platform.
 * @param {Record<string, LockfileEntry>} packages the `packages` of a package-lock.json
 * @returns {string[]} a message for each
 */
export const findMissingPlatformPackages = (packages) =>
  Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => !listLookupPaths(path, name).some((candidate) => candidate in packages))
      .map((name) => `${path || 'the project'} needs ${name}, which package-lock.json does not contain`),
  )

/** Returns the platform packages that the project's lockfile lacks. */
export const findMissingPackages = () =>
  findMissingPlatformPackages(JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8')).packages)
