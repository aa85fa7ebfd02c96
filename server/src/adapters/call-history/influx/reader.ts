import {
  TooManyRecordsError,
  type Measurement,
  type ResultPage,
  type EventListOptions,
} from '../../../ports/call-history'
import type { InfluxConnection } from './connection'
import type { QueryConditions } from './query-conditions'
import type { Values } from './response'

/** The maximum number of records that this process aggregates, because InfluxDB can only group by tags. */
const maxAggregatedRecords = 100_000

const buildOrderClause = ({ oldestFirst }: Pick<EventListOptions, 'oldestFirst'>) =>
  `order by time ${oldestFirst ? 'asc' : 'desc'}`

/** Reads records of one measurement. */
export const createInfluxReader = ({ queryRows }: Pick<InfluxConnection, 'queryRows'>) => ({
  /**
   * Reads a page. Every record has at least one of the `countedFields`; the greatest of their counts is used as the total,
   * because InfluxDB counts the values of a field, not records.
   */
  async readPage(
    measurement: Measurement,
    countedFields: readonly string[],
    { where, params }: QueryConditions,
    options: EventListOptions,
  ): Promise<ResultPage<Values>> {
    const { page, count } = options
    const source = `from ${measurement} where ${where.join(' and ')}`
    const counts = countedFields.map((field, index) => `count(${field}) as n${index}`)
    const [countRow] = await queryRows(measurement, `select ${counts.join(', ')} ${source}`, params)
    const total = Math.max(0, ...countedFields.map((_, index) => Number(countRow?.[`n${index}`]) || 0))
    const offset = (page - 1) * count
    if (total <= offset) return { total, rows: [] }
    const rows = await queryRows(
      measurement,
      `select * ${source} ${buildOrderClause(options)} limit ${count} offset ${offset}`,
      params,
    )
    return { total, rows }
  },

  /** Reads all matching records. Throws TooManyRecordsError if there are too many to aggregate. */
  async readAll(
    measurement: Measurement,
    columns: readonly string[],
    { where, params }: QueryConditions,
    order?: Pick<EventListOptions, 'oldestFirst'>,
  ): Promise<Values[]> {
    const conditions = `${where.join(' and ')}${order ? ` ${buildOrderClause(order)}` : ''}`
    const query = `select ${columns.join(', ')} from ${measurement} where ${conditions} limit ${maxAggregatedRecords + 1}`
    const rows = await queryRows(measurement, query, params)
    if (rows.length > maxAggregatedRecords) throw new TooManyRecordsError()
    return rows
  },
})

export type InfluxReader = ReturnType<typeof createInfluxReader>
