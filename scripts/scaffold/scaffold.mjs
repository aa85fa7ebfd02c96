import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import prettier from 'prettier'
import { buildInsertions } from './insertions.mjs'
import { buildFiles } from './templates.mjs'

/**
 * @typedef {object} Names
 * @property {string} kebab such as call-tag
 * @property {string} kebabs
 * @property {string} camel callTag
 * @property {string} camels
 * @property {string} pascal CallTag
 * @property {string} pascals
 * @property {string} snake call_tag: the kind of the record
 * @property {string} snakes
 * @property {string} words call tag
 * @property {string} Words Call tag
 * @property {string} plural Call tags
 * @property {string} migration 0016-call-tags
 */

/** @param {string} word */
const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1)

/** @param {string} word */
const toPlural = (word) => (/[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`)

/** @param {string} kebab @param {string} migrationNumber @returns {Names} */
const buildNames = (kebab, migrationNumber) => {
  const kebabs = toPlural(kebab)
  const camelOf = (/** @type {string} */ name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
  return {
    kebab,
    kebabs,
    camel: camelOf(kebab),
    camels: camelOf(kebabs),
    pascal: capitalize(camelOf(kebab)),
    pascals: capitalize(camelOf(kebabs)),
    snake: kebab.replaceAll('-', '_'),
    snakes: kebabs.replaceAll('-', '_'),
    words: kebab.replaceAll('-', ' '),
    Words: capitalize(kebab.replaceAll('-', ' ')),
    plural: capitalize(kebabs.replaceAll('-', ' ')),
    migration: `${migrationNumber}-${kebabs}`,
  }
}

/** @param {string} folder the project's root */
const findNextMigrationNumber = (folder) => {
  const numbers = readdirSync(join(folder, 'server/src/db/migrations')).map((file) => Number(file.slice(0, 4)))
  return String(Math.max(...numbers) + 1).padStart(4, '0')
}

/**
 * Adds a resource to the project. Writes nothing and throws an error if the name is invalid, the resource exists, or a
 * file has no line where an insertion belongs.
 * @param {string} folder the project's root
 * @param {string} name singular, in kebab case
 */
export const scaffold = async (folder, name) => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error('The name must be singular and in kebab case, such as: npm run scaffold -- call-tag')
  const names = buildNames(name, findNextMigrationNumber(folder))
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const [file, text] of Object.entries(buildFiles(names))) {
    if (existsSync(join(folder, file))) throw new Error(`${file} already exists.`)
    files.set(file, text)
  }
  const written = [...files.keys()]
  for (const { file, after, text } of buildInsertions(names)) {
    const current = files.get(file) ?? readFileSync(join(folder, file), 'utf8')
    const match = after.exec(current)
    if (!match) throw new Error(`${file} has no line that matches ${after}, after which the new line belongs.`)
    const end = match.index + match[0].length
    files.set(file, current.slice(0, end) + text + current.slice(end))
  }
  for (const [file, text] of files) {
    const path = join(folder, file)
    const options = await prettier.resolveConfig(path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await prettier.format(text, { ...options, filepath: path }))
  }
  return { written, changed: [...files.keys()].filter((file) => !written.includes(file)) }
}
