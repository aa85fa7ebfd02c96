import type { Writer } from './writer'

/** Creates a limit for the open streams of each tenant; 0 means unlimited. The platform itself is not limited. */
export const createStreamLimit = (maxStreams: number) => {
  const counts = new Map<string, number>()
  return {
    /** Counts a stream until the returned function is called. Returns undefined if the tenant may not open another one. */
    acquire(writer: Writer): (() => void) | undefined {
      if ('all' in writer || maxStreams === 0) return () => undefined
      const tenant = `${writer.service_provider_sid}/${writer.account_sid ?? ''}`
      const count = counts.get(tenant) ?? 0
      if (count >= maxStreams) return undefined
      counts.set(tenant, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const remaining = counts.get(tenant)! - 1
        if (remaining > 0) counts.set(tenant, remaining)
        else counts.delete(tenant)
      }
    },
  }
}
