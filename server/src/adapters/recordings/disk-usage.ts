import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QuotaReachedError } from '../../ports/recording-store'
import { listKeys } from './recording-keys'

/** The cached size of an account's files expires after this time. */
const recountMs = 60_000

interface Usage {
  countedAt: number
  countedBytes: Promise<number>
  /** Bytes that have arrived since the count, including recordings in progress. */
  addedBytes: number
}

/** Counts the bytes of one recording in progress. */
export interface UsageCounter {
  /** Throws QuotaReachedError if these bytes exceed the account's quota. */
  add(bytes: number): Promise<void>
  /** Subtracts the bytes of a discarded recording. */
  cancel(): void
}

export interface DiskUsageOptions {
  /** Folders that contain one folder per account. */
  folders: string[]
  /** Maximum bytes per account; 0: unlimited. */
  maxBytes: number
  clock: () => number
}

const folderSize = async (folder: string): Promise<number> => {
  let size = 0
  for (const key of await listKeys(folder)) size += (await stat(join(folder, key)).catch(() => undefined))?.size ?? 0
  return size
}

/** Tracks the disk usage of each account's recordings. */
export const diskUsage = ({ folders, maxBytes, clock }: DiskUsageOptions) => {
  const accounts = new Map<string, Usage>()

  const count = async (account_sid: string) => {
    const sizes = await Promise.all(folders.map((folder) => folderSize(join(folder, account_sid))))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  const usageOf = (account_sid: string): Usage => {
    const cached = accounts.get(account_sid)
    if (cached && clock() - cached.countedAt < recountMs) return cached
    const usage = { countedAt: clock(), countedBytes: count(account_sid), addedBytes: 0 }
    accounts.set(account_sid, usage)
    return usage
  }

  /** Starts to count a recording. Throws QuotaReachedError if the quota is used up. */
  const startRecording = async (account_sid: string): Promise<UsageCounter> => {
    let recordingBytes = 0
    const reserve = async (bytes: number) => {
      if (maxBytes === 0) return
      const usage = usageOf(account_sid)
      if ((await usage.countedBytes) + usage.addedBytes + bytes > maxBytes) throw new QuotaReachedError(maxBytes)
      usage.addedBytes += bytes
      recordingBytes += bytes
    }
    await reserve(1)
    return {
      add: reserve,
      cancel: () => {
        const usage = accounts.get(account_sid)
        if (usage) usage.addedBytes = Math.max(0, usage.addedBytes - recordingBytes)
      },
    }
  }
  return { open: startRecording, reset: (account_sid: string) => void accounts.delete(account_sid) }
}
