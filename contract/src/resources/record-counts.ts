import { defineRoute } from '../kit/route'
import type { RecordCounts, RecordCountsQuery } from '../shapes/record-counts'

/** A Trunkline addition: server capability `recordCounts`. The figures of the rows of a list, by SID. */
export const recordCounts = defineRoute<{ query: RecordCountsQuery; response: RecordCounts }>()(
  'GET',
  '/RecordCounts',
  'Count the phone numbers and calls of accounts, carriers, applications or phone numbers',
)
