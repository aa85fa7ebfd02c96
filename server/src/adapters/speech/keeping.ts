import { createHash } from 'node:crypto'

interface Kept<Value> {
  value: Promise<Value>
  until: number
}

export interface KeepingOptions {
  /** So many values; the one that was asked for longest ago gives way. */
  most: number
  milliseconds: number
}

/**
 * Keeps what is costly to find out. Who asks while it is being found out waits for the same; a failure is not kept. The
 * names may be secrets: only their digests are.
 */
export const keeping = <Value>({ most, milliseconds }: KeepingOptions, now: () => number = Date.now) => {
  const all = new Map<string, Kept<Value>>()

  return (name: string, find: () => Promise<Value>): Promise<Value> => {
    const key = createHash('sha256').update(name).digest('base64')
    const found = all.get(key)
    all.delete(key)
    const kept = found && found.until > now() ? found : { value: find(), until: now() + milliseconds }
    all.set(key, kept)
    if (all.size > most) all.delete(all.keys().next().value!)
    kept.value.catch(() => {
      if (all.get(key) === kept) all.delete(key)
    })
    return kept.value
  }
}
