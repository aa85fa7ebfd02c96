import { tagNames, type Point } from '../../../ports/call-history'
import { forEachBatch } from '../../sql/batches'
import type { ClickHouseConnection, Values } from './connection'
import { readRecordValues } from './rows'
import { recordTables, selectedColumnsOf } from './tables'

/** Points per query. Their values are part of the URL. */
const batchSize = 20

const ownerOf = ({ tags }: Point) => [tags.service_provider_sid ?? '', tags.account_sid ?? ''] as const

/** Whether a stored call has exactly these tags. */
const hasSameTags = (values: Values, { tags }: Point): boolean =>
  [...new Set([...tagNames.cdrs, ...Object.keys(tags)])].every(
    (name) => String((values[name] as string | undefined) ?? '') === (tags[name] ?? ''),
  )

/**
 * Finds the stored calls to which points without an identifier belong: those with the same tags and time. A later point, for
 * example with the price, may have no identifier of its call. All tags must match, so the owner is the same.
 */
export const findStoredKeys = async (
  { query, qualify }: ClickHouseConnection,
  points: readonly Point[],
): Promise<Map<Point, string>> => {
  const { name, recordKey } = recordTables.cdrs
  const keys = new Map<Point, string>()
  await forEachBatch(points, batchSize, async (batch) => {
    const tuples = batch.map(
      (_, index) => `({provider${index}:String}, {account${index}:String}, {time${index}:Int64})`,
    )
    const params = batch.flatMap((point, index): [string, unknown][] => {
      const [provider, account] = ownerOf(point)
      return [
        [`provider${index}`, provider],
        [`account${index}`, account],
        [`time${index}`, point.timeNs],
      ]
    })
    const { rows } = await query(
      `select ${recordKey}, ${selectedColumnsOf(recordTables.cdrs)} from ${qualify(name)} final
      where (service_provider_sid, account_sid, time_ns) in (${tuples.join(', ')})
        and (call_sid is not null or sip_callid is not null)
      order by ${recordKey}`,
      Object.fromEntries<unknown>(params),
    )
    for (const point of batch) {
      const row = rows.find(
        ({ time_ns, ...values }) => time_ns === String(point.timeNs) && hasSameTags(readRecordValues(values), point),
      )
      if (row) keys.set(point, String(row[recordKey]))
    }
  })
  return keys
}
