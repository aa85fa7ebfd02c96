import { recordingPath } from '@trunkline/contract/calls/recording'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { CallHistory } from '../../ports/call-history'
import type { RecordingList } from '../../ports/recording-archive'

/** A call by whose it is and its SID, which is chance and compared as it is. */
const nameOf = (account_sid: string, call_sid: string) => `${account_sid.toLowerCase()} ${call_sid}`

/**
 * A call history whose calls say where their recording is. What their writer said of it stands; of the others the list of
 * recordings is asked while they are read, so that it does not matter what came first, and what was deleted is named no more.
 */
export const withRecordings = (history: CallHistory, recordings: RecordingList): CallHistory => {
  const told = async (rows: RecentCall[]): Promise<RecentCall[]> => {
    const asked = rows.flatMap(({ account_sid, call_sid, recording_url }) =>
      account_sid && call_sid && !recording_url ? [{ account_sid, call_sid }] : [],
    )
    if (asked.length === 0) return rows
    const found = new Map(
      (await recordings.of(asked))
        // of several the first
        .toReversed()
        .map(({ account_sid, name }) => [nameOf(account_sid, name.call_sid), name]),
    )
    return rows.map((row) => {
      const { account_sid, call_sid, recording_url } = row
      const name = account_sid && call_sid && !recording_url ? found.get(nameOf(account_sid, call_sid)) : undefined
      return name && account_sid ? { ...row, recording_url: recordingPath(account_sid, name) } : row
    })
  }

  return {
    ...history,
    async calls(of, look) {
      const { total, rows } = await history.calls(of, look)
      return { total, rows: await told(rows) }
    },
    async find(of, by) {
      const call = await history.find(of, by)
      return call && (await told([call]))[0]
    },
  }
}
