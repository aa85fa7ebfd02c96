import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { at, root } from './paths.mjs'

const isTest = (/** @type {string} */ name) => /\.(test|spec)\.[cm]?[jt]sx?$/.test(name)

/**
 * Every file below a path, in a fixed order, except tests, because no build contains them.
 * @param {string} path
 * @returns {string[]}
 */
const filesBelow = (path) => {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return filesBelow(join(path, entry.name))
      return isTest(entry.name) ? [] : [join(path, entry.name)]
    })
}

/**
 * Returns a hash of names and contents. Not of timestamps: a fresh clone or a switched branch changes them all, without
 * any change in content.
 * @param {string[]} paths files and folders, relative to the project
 * @param {string[]} [facts] other values that the result depends on
 */
export const fingerprint = (paths, facts = []) => {
  const hash = createHash('sha256')
  for (const fact of facts) hash.update(`${fact}\0`)
  for (const file of paths.flatMap((path) => filesBelow(at(path)))) {
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
 * Called before the work that a stamp confirms, so that interrupted work never counts as complete.
 * @param {string} file
 */
export const dropStamp = (file) => rmSync(file, { force: true })
