import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { cacheFolder, projectPath, root } from './paths.mjs'
import { run, runNpm } from './run.mjs'

/**
 * The Node versions on which the server is tested in addition to the one that runs the tests, with the database engine of
 * their tests. Each engine once, because the tests of both engines on each version would take too long.
 * @type {{ version: string, databaseEngine: 'sqlite' | 'mysql' }[]}
 */
const furtherNodeVersions = [
  { version: '22.23.3', databaseEngine: 'sqlite' },
  { version: '24.21.0', databaseEngine: 'mysql' },
]

/** The SQLite driver of these versions, which npm does not install on Node 20. */
const driverName = 'better-sqlite3-13'

/** Folders that a copy of the project does not need. */
const ignoredFolders = new Set(['.git', '.cache', 'node_modules', 'dist', 'data', 'coverage', 'test-results'])

/**
 * Links the packages of a node_modules folder. Links to workspaces are relative, so they lead into the copy.
 * @param {string} source
 * @param {string} target
 */
const linkPackages = (source, target) => {
  mkdirSync(target, { recursive: true })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.name === driverName || /^\.(?!bin$)/.test(entry.name)) continue
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else if (entry.name.startsWith('@')) linkPackages(from, to)
    else symlinkSync(from, to)
  }
}

/**
 * Copies the project without its packages, which the copy links, so that it can have another SQLite driver.
 * @param {string} target
 * @param {string} driver the folder of the SQLite driver
 */
const copyProject = (target, driver) => {
  rmSync(target, { recursive: true, force: true })
  for (const name of readdirSync(root).filter((entry) => !ignoredFolders.has(entry)))
    cpSync(join(root, name), join(target, name), {
      recursive: true,
      filter: (path) => !ignoredFolders.has(basename(path)),
    })
  for (const folder of ['.', 'contract', 'server', 'console']) {
    const packages = projectPath(folder, 'node_modules')
    if (existsSync(packages)) linkPackages(packages, join(target, folder, 'node_modules'))
  }
  symlinkSync(driver, join(target, 'node_modules', driverName))
}

/**
 * Installs a package from the npm registry into the cache, unless it is there. Returns its folder.
 * @param {string} name
 * @param {string} specifier such as '22.23.3'
 */
const installPackage = async (name, specifier) => {
  const folder = join(cacheFolder, 'node-versions', `${name}-${specifier.replace(/.*@/, '')}`)
  const path = join(folder, 'node_modules', name)
  if (existsSync(join(path, 'package.json'))) return path
  mkdirSync(folder, { recursive: true })
  // The packages are for other versions of Node than this one.
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--engine-strict=false']
  const args = ['install', '--prefix', folder, ...options, `${name}@${specifier}`]
  const { code, output } = await runNpm(args, { captureOutput: true, cwd: folder })
  if (code !== 0) throw new Error(`npm could not install ${name}@${specifier}:\n${output.trim()}`)
  return path
}

/** @typedef {typeof furtherNodeVersions[0] & { cwd: string, node: string, env: Record<string, string> }} NodeProject */

/**
 * Runs a function for each further Node version, with a copy of the project that works on it.
 * @template Result
 * @param {(project: NodeProject) => Promise<Result>} runTests
 * @returns {Promise<Result[]>}
 */
export const forEachNodeVersion = async (runTests) => {
  const { optionalDependencies } = JSON.parse(readFileSync(projectPath('server', 'package.json'), 'utf8'))
  const driver = await installPackage(driverName, optionalDependencies[driverName])
  const results = []
  for (const { version, databaseEngine } of furtherNodeVersions) {
    const nodePackage = await installPackage(`node-${process.platform}-${process.arch}`, version)
    const node = join(nodePackage, 'bin', 'node')
    const cwd = join(cacheFolder, 'node-versions', `project-${version}`)
    copyProject(cwd, driver)
    const { output } = await run(node, ['--version'], { captureOutput: true })
    if (output.trim() !== `v${version}`) throw new Error(`${node} is not Node ${version}: ${output.trim()}`)
    const env = { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
    results.push(await runTests({ version, databaseEngine, cwd, node, env }))
    rmSync(cwd, { recursive: true, force: true })
  }
  return results
}
