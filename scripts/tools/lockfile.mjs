import { readFileSync } from 'node:fs'
import { projectPath } from './paths.mjs'

/**
 * @typedef {object} LockfileEntry
 * @property {string} [name]
 * @property {string} [version]
 * @property {string} [license]
 * @property {boolean} [link]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [peerDependencies]
 */

/** A package that the product needs at run time. @typedef {{ path: string, name: string, version: string, license: string }} RuntimePackage */

const readLockfile = () => JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8')).packages

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
export const findMissingPackages = () => findMissingPlatformPackages(readLockfile())

/**
 * Returns the packages that the given workspaces need at run time, directly or through others, without the workspaces.
 * Those for other platforms are included.
 * @param {Record<string, LockfileEntry>} packages the `packages` of a package-lock.json
 * @param {string[]} workspaces their folders
 * @returns {RuntimePackage[]} in order of their paths
 */
export const findRuntimePackages = (packages, workspaces) => {
  const paths = new Set(workspaces)
  for (const path of paths) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const packagePath = listLookupPaths(path, name).find((candidate) => candidate in packages)
      if (packagePath && !packages[packagePath]?.link) paths.add(packagePath)
    }
  }
  return [...paths]
    .filter((path) => !workspaces.includes(path))
    .sort()
    .map((path) => ({
      path,
      // a package that is installed under another name has an entry with its own name
      name: packages[path]?.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: packages[path]?.version ?? '',
      license: packages[path]?.license ?? '',
    }))
}

/** Returns the packages that the product needs at run time. */
export const listRuntimePackages = () => findRuntimePackages(readLockfile(), ['contract', 'server', 'console'])
