import type { EventListOptions, Measurement, ResultPage } from '../../../ports/call-history'
import type { QueryConditions } from './conditions'
import type { ClickHouseConnection, Values } from './connection'
import { recordTables, selectedColumnsOf, sortingKeyOf } from './tables'

/**
 * Creates a function that reads a page with the total. Only the columns of the filter and the sorting key are read of all
 * matching records; the others only of those on the page.
 */
export const createPageReader =
  ({ query, qualify }: ClickHouseConnection) =>
  async (
    measurement: Measurement,
    { where, params }: QueryConditions,
    { page, count, oldestFirst }: EventListOptions,
  ): Promise<ResultPage<Values>> => {
    const table = recordTables[measurement]
    const source = `from ${qualify(table.name)} final`
    const condition = `where ${where.join(' and ')}`
    const direction = oldestFirst ? 'asc' : 'desc'
    const order = `order by time_ns ${direction}, ${table.recordKey} ${direction}`
    const sortingKey = sortingKeyOf(table)
    const { rows } = await query(
      `select ${selectedColumnsOf(table)}, (select count() ${source} ${condition}) as total_rows ${source}
      where (${sortingKey}) in (
        select ${sortingKey} ${source} ${condition} ${order} limit {count:UInt32} offset {offset:UInt64})
      ${order}`,
      { ...params, count, offset: (page - 1) * count },
    )
    if (rows[0]) return { total: Number(rows[0].total_rows), rows: rows.map(({ total_rows: _, ...row }) => row) }
    if (page === 1) return { total: 0, rows: [] }
    const { rows: counts } = await query(`select count() as total_rows ${source} ${condition}`, params)
    return { total: Number(counts[0]?.total_rows), rows: [] }
  }
