import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import { UnstorableValueError } from './errors'
import { toColumnTime } from './time'

/**
 * Converts a value to one that both drivers can bind. SQLite's driver throws on a boolean. MySQL's driver would expand a plain
 * object into `key` = value pairs, so objects that passed validation by mistake are refused here.
 */
const toBindable = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return toColumnTime(value)
  if (Buffer.isBuffer(value)) return value
  throw new UnstorableValueError('Only text, numbers, dates and bytes can be stored in a column')
}

/** Converts the parameters of a statement with `toBindable`. */
export const toBindableValues = (parameters: readonly unknown[]): unknown[] => parameters.map(toBindable)

type QueryCallback = Parameters<MysqlPoolConnection['query']>[2]

const createBindingConnection = (connection: MysqlPoolConnection): MysqlPoolConnection => {
  const query = (statement: string, parameters: unknown[], callback: QueryCallback) => {
    let values: unknown[]
    try {
      values = toBindableValues(parameters)
    } catch (error) {
      return callback(error, [])
    }
    connection.query(statement, values, callback)
  }
  return { query: query as MysqlPoolConnection['query'], release: () => connection.release() }
}

/** Returns a pool whose connections convert the parameters of statements. */
export const createBindingPool = (pool: MysqlPool): MysqlPool => {
  const bindingConnections = new WeakMap<MysqlPoolConnection, MysqlPoolConnection>()

  const bind = (connection: MysqlPoolConnection): MysqlPoolConnection => {
    const bindingConnection = bindingConnections.get(connection) ?? createBindingConnection(connection)
    bindingConnections.set(connection, bindingConnection)
    return bindingConnection
  }

  return {
    getConnection: (callback) =>
      pool.getConnection((error, connection) => callback(error, error ? connection : bind(connection))),
    end: (callback) => pool.end(callback),
  }
}
