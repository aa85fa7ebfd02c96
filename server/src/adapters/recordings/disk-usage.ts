import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { QuotaReached } from '../../ports/recording-archive'
import { keysIn } from './recording-keys'

/** The files of an account are counted again after this time. */
const recountMs = 60_000

interface Usage {
  countedAt: number
  counted: Promise<number>
  /** Bytes that arrived since the count, and those of recordings that are still arriving. */
  added: number
}

/** Counts the bytes of one recording while it arrives. */
export interface UsageCounter {
  /** Throws QuotaReached if the account may not keep these bytes as well. */
  add(bytes: number): Promise<void>
  /** The recording is not kept. */
  cancel(): void
}

export interface DiskUsageOptions {
  /** Folders with a folder for each account. */
  folders: string[]
  /** Bytes that an account may keep; 0: any number. */
  maxBytes: number
  clock: () => number
}

const sizeOf = async (folder: string): Promise<number> => {
  let size = 0
  for (const key of await keysIn(folder)) size += (await stat(join(folder, key)).catch(() => undefined))?.size ?? 0
  return size
}

/** How much of the disk the recordings of each account take up. */
export const diskUsage = ({ folders, maxBytes, clock }: DiskUsageOptions) => {
  const accounts = new Map<string, Usage>()

  const count = async (account_sid: string) => {
    const sizes = await Promise.all(folders.map((folder) => sizeOf(join(folder, account_sid))))
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  const usageOf = (account_sid: string): Usage => {
    const known = accounts.get(account_sid)
    if (known && clock() - known.countedAt < recountMs) return known
    const usage = { countedAt: clock(), counted: count(account_sid), added: 0 }
    accounts.set(account_sid, usage)
    return usage
  }

  /** Begins to count a recording. Throws QuotaReached if the account has no room left. */
  const open = async (account_sid: string): Promise<UsageCounter> => {
    let ownBytes = 0
    const checkRoom = async (bytes: number) => {
      if (maxBytes === 0) return
      const usage = usageOf(account_sid)
      if ((await usage.counted) + usage.added + bytes > maxBytes) throw new QuotaReached(maxBytes)
      usage.added += bytes
      ownBytes += bytes
    }
    await checkRoom(1)
    return {
      add: checkRoom,
      cancel: () => {
        const usage = accounts.get(account_sid)
        if (usage) usage.added = Math.max(0, usage.added - ownBytes)
      },
    }
  }
  return { open, forget: (account_sid: string) => void accounts.delete(account_sid) }
}
