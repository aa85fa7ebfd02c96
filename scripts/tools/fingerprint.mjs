import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { projectPath, root } from './paths.mjs'

const isTest = (/** @type {string} */ name) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(name)

/**
 * Every file below a path, in a fixed order, except tests, because no build contains them.
 * @param {string} path
 * @returns {string[]}
 */
const listFiles = (path) => {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return listFiles(join(path, entry.name))
      return isTest(entry.name) ? [] : [join(path, entry.name)]
    })
}

/**
 * Returns a hash of names and contents. Ignores timestamps, which a fresh clone or a branch switch changes.
 * @param {string[]} paths files and folders, relative to the project
 * @param {string[]} [extraInputs] other values that the hash depends on
 */
export const computeFingerprint = (paths, extraInputs = []) => {
  const hash = createHash('sha256')
  for (const extraInput of extraInputs) hash.update(`${extraInput}\0`)
  for (const file of paths.flatMap((path) => listFiles(projectPath(path)))) {
    hash.update(`${relative(root, file)}\0`)
    hash.update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** @param {string} file */
export const readStamp = (file) => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}

/** @param {string} file @param {string} value */
export const writeStamp = (file, value) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${value}\n`)
}

/**
 * Call this before the work that a stamp confirms, so that interrupted work never counts as complete.
 * @param {string} file
 */
export const deleteStamp = (file) => rmSync(file, { force: true })
