import { createRequire } from 'node:module'
import { projectPath } from './paths.mjs'

/** The package of the SQLite driver for this Node: the rule of `server/src/db/sqlite-driver.ts`. */
export const sqliteDriver = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3'

/** @returns {typeof import('better-sqlite3')} */
export const loadSqliteDriver = () => createRequire(projectPath('server', 'package.json'))(sqliteDriver)
