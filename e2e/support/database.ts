import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'

export interface TestDatabase {
  /** What the server gets as DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

/**
 * A new, empty database on the server that E2E_DATABASE_URL names; nothing when it is not set, and the server under test
 * then keeps its SQLite file in its own data folder.
 */
export const makeDatabase = async (): Promise<TestDatabase | undefined> => {
  const server = process.env.E2E_DATABASE_URL
  if (!server) return undefined
  // The driver belongs to the server workspace; it is found from there.
  const mysql = createRequire(new URL('../../server/package.json', import.meta.url))(
    'mysql2/promise',
  ) as typeof import('mysql2/promise')
  const name = `trunkline_e2e_${randomBytes(6).toString('hex')}`
  const ask = async (sql: string) => {
    const connection = await mysql.createConnection({ uri: server })
    try {
      await connection.query(sql)
    } finally {
      await connection.end()
    }
  }
  await ask(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => ask(`drop database if exists ${name}`) }
}
