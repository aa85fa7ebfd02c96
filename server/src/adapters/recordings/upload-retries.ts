import type { BucketUploader } from './bucket-uploads'
import type { ListUpdater } from './list-updater'
import type { RecordingFolders } from './recording-folders'
import { accountOfKey, listKeys } from './recording-keys'

/** Accounts that upload at the same time. A bucket that does not respond delays other accounts only if there are more of them. */
const maxParallelAccounts = 8

interface RetryOptions {
  folders: RecordingFolders
  listUpdater: ListUpdater
  uploads: BucketUploader
  /** Stops between two uploads. */
  signal?: AbortSignal | undefined
}

const groupByAccount = (keys: readonly string[]): string[][] => {
  const keysByAccount = new Map<string, string[]>()
  for (const key of keys) {
    const account = accountOfKey(key)
    const accountKeys = keysByAccount.get(account)
    if (accountKeys) accountKeys.push(key)
    else keysByAccount.set(account, [key])
  }
  return [...keysByAccount.values()]
}

/** Adds recordings to the list that are missing in it, then uploads those that could not be uploaded before. */
export const listAndUpload = async ({
  folders: { paths },
  listUpdater,
  uploads,
  signal,
}: RetryOptions): Promise<void> => {
  const pendingKeys = await listKeys(paths.pending)
  const areListed = await listUpdater.addMissingRecordings(async () => [
    ...(await listKeys(paths.pending)),
    ...(await listKeys(paths.local)),
  ])
  if (!areListed) return
  const waitingAccounts = groupByAccount(pendingKeys)
  const uploadWaitingAccounts = async () => {
    for (let keys = waitingAccounts.shift(); keys; keys = waitingAccounts.shift())
      for (const key of keys)
        // After a failure, the other recordings of the account would fail too. They are retried later.
        if (signal?.aborted || !(await uploads.startUpload(key))) break
  }
  await Promise.all(Array.from({ length: maxParallelAccounts }, uploadWaitingAccounts))
}
