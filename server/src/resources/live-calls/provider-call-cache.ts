import type { LiveCall, LivePlatform } from '../../ports/live-platform'

/** Milliseconds for which an answer serves: many consoles ask again and again, and each time all calls are read. */
const lifetimeMs = 2500

interface CacheEntry {
  calls: Promise<Map<string, LiveCall[]>>
  /** Unknown until it is there: who asks meanwhile waits for the same. */
  expiresAt: number
}

/**
 * The calls in progress by the provider of their account, read once for all who ask within some seconds.
 * @param providerOf nobody's accounts have none
 */
export const providerCallCache = (
  live: LivePlatform,
  providerOf: (account_sid: string) => Promise<string | null | undefined>,
  clock: () => number = Date.now,
) => {
  let entry: CacheEntry | undefined

  const readCalls = async () => {
    const providerByAccount = new Map<string, string | null | undefined>()
    const callsByProvider = new Map<string, LiveCall[]>()
    for (const call of await live.calls()) {
      const { accountSid = '' } = call
      if (!providerByAccount.has(accountSid)) providerByAccount.set(accountSid, await providerOf(accountSid))
      const provider = providerByAccount.get(accountSid)
      if (provider)
        callsByProvider
          .set(provider, callsByProvider.get(provider) ?? [])
          .get(provider)!
          .push(call)
    }
    return callsByProvider
  }

  const createEntry = (): CacheEntry => {
    const newEntry: CacheEntry = { calls: readCalls(), expiresAt: Infinity }
    newEntry.calls.then(
      () => (newEntry.expiresAt = clock() + lifetimeMs),
      // a failure is told to those who waited for it, and not to the next
      () => (newEntry.expiresAt = 0),
    )
    return newEntry
  }

  return {
    async list(service_provider_sid: string): Promise<LiveCall[]> {
      if (!entry || entry.expiresAt <= clock()) entry = createEntry()
      return (await entry.calls).get(service_provider_sid) ?? []
    },
    /** Who changes something sees it at once. */
    invalidate(): void {
      entry = undefined
    },
  }
}
