import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QuotaReachedError } from '../../ports/recording-store'
import { listKeys } from './recording-keys'

/** After this time, the files of an account are measured again. */
const countLifetimeMs = 60_000

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

const measureFolder = async (folder: string): Promise<number> => {
  let size = 0
  for (const key of await listKeys(folder)) size += (await stat(join(folder, key)).catch(() => undefined))?.size ?? 0
  return size
}

/** Creates a tracker of the disk usage of each account's recordings. */
export const createDiskUsageTracker = ({ folders, maxBytes, clock }: DiskUsageOptions) => {
  const usageByAccount = new Map<string, Usage>()

  const countBytes = async (account_sid: string) => {
    const sizes = await Promise.all(folders.map((folder) => measureFolder(join(folder, account_sid))))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  const getUsage = (account_sid: string): Usage => {
    const cachedUsage = usageByAccount.get(account_sid)
    if (cachedUsage && clock() - cachedUsage.countedAt < countLifetimeMs) return cachedUsage
    const usage = { countedAt: clock(), countedBytes: countBytes(account_sid), addedBytes: 0 }
    usageByAccount.set(account_sid, usage)
    return usage
  }

  /** Starts to count the bytes of a recording. Throws QuotaReachedError if the quota is used up. */
  const startCounter = async (account_sid: string): Promise<UsageCounter> => {
    let recordingBytes = 0
    const reserveBytes = async (bytes: number) => {
      if (maxBytes === 0) return
      const usage = getUsage(account_sid)
      if ((await usage.countedBytes) + usage.addedBytes + bytes > maxBytes) throw new QuotaReachedError(maxBytes)
      usage.addedBytes += bytes
      recordingBytes += bytes
    }
    // Fails if the quota is already used up.
    await reserveBytes(1)
    return {
      add: reserveBytes,
      cancel: () => {
        const usage = usageByAccount.get(account_sid)
        if (usage) usage.addedBytes = Math.max(0, usage.addedBytes - recordingBytes)
      },
    }
  }
  return {
    startCounter,
    /** Measures the files of an account again before its next recording. */
    reset: (account_sid: string) => void usageByAccount.delete(account_sid),
  }
}

export type DiskUsageTracker = ReturnType<typeof createDiskUsageTracker>
