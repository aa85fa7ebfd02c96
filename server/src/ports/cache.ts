/** Selects keys with the same prefix. */
export type KeyFilter = (key: string) => boolean

/** A key-value cache. The prefix of a key names its owner. Throws Unavailable if the cache does not respond. */
export interface Cache {
  /** Whether the servers of the platform use the same cache. */
  readonly shared: boolean
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, seconds: number): Promise<void>
  /** How many keys begin so, and are meant. One that comes or goes meanwhile may or may not count. */
  count(prefix: string, filter?: KeyFilter): Promise<number>
  /** Forgets every key that begins so, and is meant. */
  clear(prefix: string, filter?: KeyFilter): Promise<void>
  close(): Promise<void>
}
