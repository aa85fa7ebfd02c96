import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A path inside the project. @param {string[]} segments */
export const projectPath = (...segments) => join(root, ...segments)

/** The folder for files that tools can create again; outside node_modules, which an install empties. */
export const cacheFolder = projectPath('.cache')
