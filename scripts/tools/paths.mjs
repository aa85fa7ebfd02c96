import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, independent of the current folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A path inside the project. @param {string[]} parts */
export const at = (...parts) => join(root, ...parts)

/** The folder for files that tools can create again; outside node_modules, which an install empties. */
export const cacheFolder = at('.cache')
