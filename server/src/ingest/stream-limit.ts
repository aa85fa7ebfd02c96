import type { Writer } from './writer'

/** Counts the open streams of each tenant. `maximum`: 0 for any number. The platform itself is not limited. */
export const streamCounts = (maximum: number) => {
  const counts = new Map<string, number>()
  return {
    /** Counts a stream until the function that is returned is called; undefined if its tenant may not open another one. */
    open(writer: Writer): (() => void) | undefined {
      if ('all' in writer || maximum === 0) return () => undefined
      const tenant = `${writer.service_provider_sid}/${writer.account_sid ?? ''}`
      const count = counts.get(tenant) ?? 0
      if (count >= maximum) return undefined
      counts.set(tenant, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = counts.get(tenant)! - 1
        if (left > 0) counts.set(tenant, left)
        else counts.delete(tenant)
      }
    },
  }
}
