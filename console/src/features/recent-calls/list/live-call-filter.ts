import type { ListState } from '../../../kit/list/paging'
import { toCallSearchText } from '../../../lib/number-search'
import type { TimedCall } from '../../../panels/calls/live-calls'

/** Returns the calls in progress with the direction, and with the text in a number or an identifier. */
export const filterLiveCalls = (calls: readonly TimedCall[], { text, filters: { direction } }: ListState) => {
  const searchText = toCallSearchText(text).toLowerCase()
  return calls.filter(
    ({ call: { from, to, call_sid, call_id, ...call } }) =>
      (!direction || call.direction === direction) &&
      [from, to, call_sid, call_id].some((value) => (value ?? '').toLowerCase().includes(searchText)),
  )
}
