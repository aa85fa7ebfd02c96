import type { LiveCall, LivePlatform } from '../../ports/live-platform'

/** Milliseconds for which an answer serves: many consoles ask again and again, and each time all calls are read. */
const life = 2500

interface Answer {
  calls: Promise<Map<string, LiveCall[]>>
  /** Unknown until it is there: who asks meanwhile waits for the same. */
  until: number
}

/**
 * The calls in progress by the provider of their account, read once for all who ask within some seconds.
 * @param providerOf nobody's accounts have none
 */
export const callsByProvider = (
  live: LivePlatform,
  providerOf: (account_sid: string) => Promise<string | null | undefined>,
  clock: () => number = Date.now,
) => {
  let answer: Answer | undefined

  const read = async () => {
    const owners = new Map<string, string | null | undefined>()
    const found = new Map<string, LiveCall[]>()
    for (const call of await live.calls()) {
      const { accountSid = '' } = call
      if (!owners.has(accountSid)) owners.set(accountSid, await providerOf(accountSid))
      const owner = owners.get(accountSid)
      if (owner)
        found
          .set(owner, found.get(owner) ?? [])
          .get(owner)!
          .push(call)
    }
    return found
  }

  const asked = (): Answer => {
    const next: Answer = { calls: read(), until: Infinity }
    next.calls.then(
      () => (next.until = clock() + life),
      // a failure is told to those who waited for it, and not to the next
      () => (next.until = 0),
    )
    return next
  }

  return {
    async of(service_provider_sid: string): Promise<LiveCall[]> {
      if (!answer || answer.until <= clock()) answer = asked()
      return (await answer.calls).get(service_provider_sid) ?? []
    },
    /** Who changes something sees it at once. */
    forget(): void {
      answer = undefined
    },
  }
}
