import type { LiveCall, LivePlatform } from '../../ports/live-platform'

/** Consoles poll, and each read fetches the calls of all accounts, so its result is reused for this time. */
const lifetimeMs = 2500

interface CacheEntry {
  calls: Promise<Map<string, LiveCall[]>>
  /** Infinity while the calls are being read, so that parallel requests wait for the same read. */
  expiresAt: number
}

/**
 * Caches the calls in progress by provider, so that one read serves all requests within a few seconds.
 * @param providerOf returns undefined for an unknown account
 */
export const createProviderCallCache = (
  livePlatform: LivePlatform,
  providerOf: (account_sid: string) => Promise<string | null | undefined>,
  clock: () => number = Date.now,
) => {
  let entry: CacheEntry | undefined

  const readCalls = async () => {
    const providerByAccount = new Map<string, string | null | undefined>()
    const callsByProvider = new Map<string, LiveCall[]>()
    for (const call of await livePlatform.listCalls()) {
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
      // A failure reaches the requests that waited for it, and the next request reads again.
      () => (newEntry.expiresAt = 0),
    )
    return newEntry
  }

  return {
    async list(service_provider_sid: string): Promise<LiveCall[]> {
      if (!entry || entry.expiresAt <= clock()) entry = createEntry()
      return (await entry.calls).get(service_provider_sid) ?? []
    },
    /** Discards the cache, so that a change is visible at once. */
    invalidate(): void {
      entry = undefined
    },
  }
}

export type ProviderCallCache = ReturnType<typeof createProviderCallCache>
