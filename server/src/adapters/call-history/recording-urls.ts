import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { CallHistory } from '../../ports/call-history'
import type { RecordingList } from '../../ports/recording-store'

/** Identifies a call by its account and SID. A SID is random and compared with case. */
const callKey = (account_sid: string, call_sid: string) => `${account_sid.toLowerCase()} ${call_sid}`

/**
 * A call history that adds the recording URL to its calls. A URL from the writer takes precedence. For other calls, the URL
 * comes from the list of recordings at read time, so the order of arrival does not matter and deleted recordings have no URL.
 */
export const withRecordingUrls = (history: CallHistory, recordings: RecordingList): CallHistory => {
  const addRecordingUrls = async (rows: RecentCall[]): Promise<RecentCall[]> => {
    const callsWithoutUrl = rows.flatMap(({ account_sid, call_sid, recording_url }) =>
      account_sid && call_sid && !recording_url ? [{ account_sid, call_sid }] : [],
    )
    if (callsWithoutUrl.length === 0) return rows
    const names = new Map(
      (await recordings.findByCalls(callsWithoutUrl))
        // The first of several recordings wins.
        .toReversed()
        .map(({ account_sid, name }) => [callKey(account_sid, name.call_sid), name]),
    )
    return rows.map((row) => {
      const { account_sid, call_sid, recording_url } = row
      const name = account_sid && call_sid && !recording_url ? names.get(callKey(account_sid, call_sid)) : undefined
      return name && account_sid ? { ...row, recording_url: buildRecordingPath(account_sid, name) } : row
    })
  }

  return {
    ...history,
    async calls(tenant, options) {
      const { total, rows } = await history.calls(tenant, options)
      return { total, rows: await addRecordingUrls(rows) }
    },
    async find(tenant, identifier) {
      const call = await history.find(tenant, identifier)
      return call && (await addRecordingUrls([call]))[0]
    },
  }
}
