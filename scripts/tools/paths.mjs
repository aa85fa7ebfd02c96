import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json, wherever the command was typed. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A path inside the project. @param {string[]} parts */
export const at = (...parts) => join(root, ...parts)

/** Where tools may keep what they can make again: outside node_modules, which an install empties. */
export const cacheFolder = at('.cache')
