import type { CallArchive, ArchiveRange } from '../../ports/call-archive'
import type { Measurement } from '../../ports/call-history'

const minBlockMs = 3_600_000
const maxBlockMs = 7 * 24 * minBlockMs
/** Blocks with fewer records become longer, and blocks with more become shorter. */
const [fewRecords, manyRecords] = [5000, 50_000]

/**
 * Divides the records of a store at or after a time into blocks, and handles one after the other. Skips times without
 * records. `handleBlock` returns the number of records of the block.
 */
export const forEachTimeBlock = async (
  { findNextTime }: Pick<CallArchive, 'findNextTime'>,
  measurement: Measurement,
  startAt: number,
  handleBlock: (range: ArchiveRange) => Promise<number>,
): Promise<void> => {
  let blockMs = minBlockMs
  let nextAt = await findNextTime(measurement, startAt)
  while (nextAt !== undefined) {
    const firstAt = Math.floor(nextAt / minBlockMs) * minBlockMs
    const endAt = firstAt + blockMs
    const recordCount = await handleBlock({ startAt: Math.max(firstAt, startAt), endAt })
    if (recordCount < fewRecords) blockMs = Math.min(maxBlockMs, blockMs * 2)
    if (recordCount > manyRecords) blockMs = Math.max(minBlockMs, Math.floor(blockMs / 2 / minBlockMs) * minBlockMs)
    nextAt = await findNextTime(measurement, endAt)
  }
}
