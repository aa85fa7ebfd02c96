import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import type { RecordingStore, OpenRecordingStore } from '../../ports/recordings'
import { onlyAudio } from './only-audio'

/** So many stay open: each has connections, and some have asked for a role. */
const most = 50

interface Held {
  credential: string
  opened: Promise<RecordingStore>
}

const shut = ({ opened }: Held) => void opened.then((recordings) => recordings.close()).catch(() => undefined)

/** Keeps the buckets open that were used last: a player asks for a recording in many parts. */
export const bucketsOpen = (open: OpenRecordingStore) => {
  const held = new Map<string, Held>()

  const drop = (account_sid: string) => {
    const entry = held.get(account_sid)
    if (!entry) return
    held.delete(account_sid)
    shut(entry)
  }

  return {
    /** The bucket of an account, opened anew when its credential is another one. */
    of(account_sid: string, credential: BucketCredential): Promise<RecordingStore> {
      const text = JSON.stringify(credential)
      const known = held.get(account_sid)
      if (known?.credential !== text) drop(account_sid)
      const entry = held.get(account_sid) ?? { credential: text, opened: open(credential, account_sid).then(onlyAudio) }
      held.delete(account_sid)
      held.set(account_sid, entry)
      entry.opened.catch(() => held.get(account_sid) === entry && held.delete(account_sid))
      const [oldest] = held.keys()
      if (held.size > most && oldest) drop(oldest)
      return entry.opened
    },
    close(): void {
      for (const account_sid of [...held.keys()]) drop(account_sid)
    },
  }
}
