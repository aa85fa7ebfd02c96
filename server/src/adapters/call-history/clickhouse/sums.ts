import {
  maxDelaySamples,
  type CallGroup,
  type CallProperty,
  type CallSum,
  type TrunkCount,
} from '../../../ports/call-history'
import { toComparableNumber } from '../comparable-number'
import { computePercentile } from '../percentile'
import { phoneNumberExpression, withNumbers, type QueryConditions } from './conditions'
import type { ClickHouseConnection } from './connection'
import { recordTables } from './tables'

const hourExpression = 'intDiv(time_ns, 3600000000000)'
const isAnsweredExpression = `ifNull(answered, '') = 'true'`
const statusExpression = 'ifNull(sip_status, 0)'

/** Milliseconds from the attempt to the answer; null if the call was not answered or the answer time is unknown. */
const delayExpression = `if(${isAnsweredExpression} and ifNull(answered_at, -1) >= intDiv(time_ns, 1000000),
  answered_at - intDiv(time_ns, 1000000), null)`

/** Aggregates calls in the database. Each function runs one query. */
export const createCallAggregates = ({ query, qualify }: ClickHouseConnection) => {
  const source = `from ${qualify(recordTables.cdrs.name)} final`

  return {
    async sumCalls({ where, params }: QueryConditions): Promise<CallSum[]> {
      const { rows } = await query(
        `select ${hourExpression} as hour, ${isAnsweredExpression} as is_answered, ${statusExpression} as status,
          count() as call_count, sum(greatest(0, floor(ifNull(duration, 0) + 0.5))) as total_seconds,
          count(${delayExpression}) as timed_call_count, sum(${delayExpression}) as total_delay_ms
        ${source} where ${where.join(' and ')} group by hour, is_answered, status`,
        params,
      )
      return rows.map((row) => ({
        hour: Number(row.hour),
        answered: Number(row.is_answered) === 1,
        sip_status: Number(row.status),
        callCount: Number(row.call_count),
        totalSeconds: Number(row.total_seconds),
        timedCallCount: Number(row.timed_call_count),
        totalDelayMs: Number(row.total_delay_ms),
      }))
    },

    /** Calls without a value are left out. */
    async groupCalls({ where, params }: QueryConditions, property: CallProperty): Promise<CallGroup[]> {
      const column = property === 'trunk' ? `ifNull(trunk, '')` : 'account_sid'
      const { rows } = await query(
        `select ${column} as value, count() as call_count, countIf(${isAnsweredExpression}) as answered_count
        ${source} where ${where.join(' and ')} and ${column} != '' group by value`,
        params,
      )
      return rows.map((row) => ({
        value: String(row.value),
        callCount: Number(row.call_count),
        answeredCount: Number(row.answered_count),
      }))
    },

    async countByTrunk({ where, params }: QueryConditions): Promise<TrunkCount[]> {
      const { rows } = await query(
        `select ifNull(trunk, '') as trunk_name, ${hourExpression} as hour, ${isAnsweredExpression} as is_answered,
          ${statusExpression} as status, count() as call_count
        ${source} where ${where.join(' and ')} and ifNull(trunk, '') != ''
        group by trunk_name, hour, is_answered, status`,
        params,
      )
      return rows.map((row) => ({
        trunk: String(row.trunk_name),
        hour: Number(row.hour),
        answered: Number(row.is_answered) === 1,
        sip_status: Number(row.status),
        callCount: Number(row.call_count),
      }))
    },

    async countByNumber(conditions: QueryConditions, numbers: readonly string[]): Promise<number[]> {
      const { where, params } = withNumbers(conditions, numbers)
      const { rows } = await query(
        `select ${phoneNumberExpression} as phone_number, count() as call_count
        ${source} where ${where.join(' and ')} group by phone_number`,
        params,
      )
      const counts = new Map(rows.map((row) => [String(row.phone_number), Number(row.call_count)]))
      return numbers.map((number) => counts.get(toComparableNumber(number)) ?? 0)
    },

    async findDelayPercentile({ where, params }: QueryConditions, percentile: number): Promise<number | null> {
      const { rows } = await query(
        `select delay_ms, count() as call_count from (
          select ${delayExpression} as delay_ms ${source} where ${where.join(' and ')} and delay_ms is not null
          order by time_ns desc, call_key desc limit {maxSamples:UInt32})
        group by delay_ms order by delay_ms`,
        { ...params, maxSamples: maxDelaySamples },
      )
      const delays = rows.map((row) => ({ value: Number(row.delay_ms), count: Number(row.call_count) }))
      return computePercentile(delays, percentile)
    },
  }
}
