import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { sqliteDriver } from '../tools/sqlite-driver.mjs'

export interface TestDatabase {
  /** The value for DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

/** The location of a server's database: a URL or a file. */
export type DatabaseLocation = { url: string } | { file: string }

/** Resolves the drivers from the server workspace, which depends on them. */
const requireDriver = createRequire(new URL('../../server/package.json', import.meta.url))

type Value = string | number | null

const runOnMysql = async (uri: string, sql: string, values: Value[]): Promise<void> => {
  const mysql = requireDriver('mysql2/promise') as typeof import('mysql2/promise')
  const connection = await mysql.createConnection({ uri })
  try {
    await connection.query(sql, values)
  } finally {
    await connection.end()
  }
}

const runOnSqlite = (file: string, sql: string, values: Value[]): void => {
  const Sqlite = requireDriver(sqliteDriver) as new (path: string) => {
    prepare(sql: string): { run(...values: Value[]): unknown }
    close(): void
  }
  const database = new Sqlite(file)
  try {
    database.prepare(sql).run(...values)
  } finally {
    database.close()
  }
}

/** Returns whether an SQLite file is undamaged. */
export const checkIntegrity = (file: string): boolean => {
  const Sqlite = requireDriver(sqliteDriver) as new (
    path: string,
    options: { readonly: boolean },
  ) => {
    pragma(name: string, options: { simple: boolean }): unknown
    close(): void
  }
  const database = new Sqlite(file, { readonly: true })
  try {
    return database.pragma('integrity_check', { simple: true }) === 'ok'
  } finally {
    database.close()
  }
}

/** Runs one statement directly on the database, for changes that the API does not support. */
export const runSql = async (location: DatabaseLocation, sql: string, ...values: Value[]): Promise<void> =>
  'url' in location ? runOnMysql(location.url, sql, values) : runOnSqlite(location.file, sql, values)

/** Inserts a row directly into the database. */
export const insertRow = (location: DatabaseLocation, table: string, row: Record<string, Value>): Promise<void> => {
  const names = Object.keys(row)
  const placeholders = names.map(() => '?').join(', ')
  return runSql(location, `insert into ${table} (${names.join(', ')}) values (${placeholders})`, ...Object.values(row))
}

/**
 * Creates an empty database on the server in E2E_DATABASE_URL. Undefined if that is not set: the server under test then
 * uses an SQLite file in its data folder.
 */
export const createDatabase = async (): Promise<TestDatabase | undefined> => {
  const server = process.env.E2E_DATABASE_URL
  if (!server) return undefined
  const name = `trunkline_e2e_${randomBytes(6).toString('hex')}`
  await runOnMysql(server, `create database ${name}`, [])
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => runOnMysql(server, `drop database if exists ${name}`, []) }
}
