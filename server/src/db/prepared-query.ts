import { CompiledQuery, type RawBuilder } from 'kysely'
import type { Connection } from './repository-options'

/** A value of a prepared query. */
type Value = string | number | null

/** Runs the query with these values, one for each placeholder. */
export type PreparedQuery<Values extends readonly Value[], R> = (
  values: Values,
  connection?: Connection,
) => Promise<R[]>

const toMarker = (index: number) => `placeholder ${index} of a prepared query`

/**
 * Prepares a query that runs often: its text is composed once, not for each request. `build` gets a placeholder for each
 * value and may use it only as a bound value.
 */
export const prepareQuery = <const Values extends readonly Value[], R>(
  db: Connection,
  build: (...placeholders: { [Index in keyof Values]: string }) => RawBuilder<R>,
): PreparedQuery<Values, R> => {
  const markers = Array.from({ length: build.length }, (_, index) => toMarker(index))
  const { sql, parameters } = build(...(markers as { [Index in keyof Values]: string })).compile(db)
  const indexes = parameters.map((parameter) => markers.indexOf(parameter as string))
  return async (values, connection = db) => {
    const bound = indexes.map((index, position) => (index < 0 ? parameters[position] : values[index]))
    return (await connection.executeQuery<R>(CompiledQuery.raw(sql, bound))).rows
  }
}
