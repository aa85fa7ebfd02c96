import { createRequire } from 'node:module'
import type SqliteDriver from 'better-sqlite3'

const require = createRequire(import.meta.url)

/**
 * The driver's file. Version 12 aborts the process in garbage collections of Node 24.19 and newer. Version 13 needs
 * Node-API 10, which Node has since 22.14. `scripts/tools/sqlite-driver.mjs` has the same rule for the scripts.
 */
export const sqliteDriverPath = require.resolve(
  Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3',
)

export const Sqlite = require(sqliteDriverPath) as typeof SqliteDriver

export type SqliteFile = SqliteDriver.Database
