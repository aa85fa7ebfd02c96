import type { EventListOptions, Measurement, ResultPage } from '../../../ports/call-history'
import type { QueryConditions } from './conditions'
import type { ClickHouseConnection, Values } from './connection'
import { recordTables, selectedColumnsOf } from './tables'

const toInteger = (value: unknown): bigint => BigInt(String(value))

/**
 * Creates a function that reads a page with the total. The first query reads only the columns of the filter and the sorting
 * key, and counts the matching records meanwhile. The second one reads the other columns of the records on the page.
 */
export const createPageReader =
  ({ query, qualify }: ClickHouseConnection) =>
  async (
    measurement: Measurement,
    { where, params }: QueryConditions,
    { page, count, oldestFirst }: EventListOptions,
  ): Promise<ResultPage<Values>> => {
    const table = recordTables[measurement]
    const { recordKey } = table
    const source = `from ${qualify(table.name)} final`
    const direction = oldestFirst ? 'asc' : 'desc'
    const order = `order by time_ns ${direction}, ${recordKey} ${direction}`
    const { rows: keys, totalRows } = await query(
      `select time_ns, ${recordKey} ${source} where ${where.join(' and ')}
      ${order} limit {count:UInt32} offset {offset:UInt64}`,
      { ...params, count, offset: (page - 1) * count },
    )
    if (keys.length === 0) return { total: totalRows, rows: [] }
    // Numbers of the database itself. As bound values they would make the URL of the request too long.
    const keyTuples = keys.map((key) => `(${toInteger(key.time_ns)}, ${toInteger(key[recordKey])})`)
    const ends = [keys[0]!, keys.at(-1)!].map(({ time_ns }) => toInteger(time_ns)) as [bigint, bigint]
    const [firstNs, lastNs] = oldestFirst ? ends : ends.toReversed()
    const [ownerCondition] = where
    const { rows } = await query(
      `select ${selectedColumnsOf(table)} ${source}
      where ${ownerCondition} and time_ns between ${firstNs} and ${lastNs}
        and (time_ns, ${recordKey}) in (${keyTuples.join(', ')})
      ${order}`,
      { owner: params.owner },
    )
    return { total: totalRows, rows }
  }
