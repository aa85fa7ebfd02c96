import { buildRecordingPath } from '@trunkline/contract/calls/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { CallHistory } from '../../ports/call-history'
import type { RecordingList } from '../../ports/recording-store'

/** Builds a map key from the account and SID of a call. Account SIDs ignore case; call SIDs do not. */
const buildCallKey = (account_sid: string, call_sid: string) => `${account_sid.toLowerCase()} ${call_sid}`

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
    const nameByCall = new Map(
      (await recordings.findByCalls(callsWithoutUrl))
        // The map keeps the last entry of each call, so the first of several recordings comes last.
        .toReversed()
        .map(({ account_sid, name }) => [buildCallKey(account_sid, name.call_sid), name]),
    )
    return rows.map((row) => {
      const { account_sid, call_sid, recording_url } = row
      const name =
        account_sid && call_sid && !recording_url ? nameByCall.get(buildCallKey(account_sid, call_sid)) : undefined
      return name && account_sid ? { ...row, recording_url: buildRecordingPath(account_sid, name) } : row
    })
  }

  return {
    ...history,
    async listCalls(tenant, options) {
      const { total, rows } = await history.listCalls(tenant, options)
      return { total, rows: await addRecordingUrls(rows) }
    },
    async findCall(tenant, identifier) {
      const call = await history.findCall(tenant, identifier)
      return call && (await addRecordingUrls([call]))[0]
    },
  }
}
