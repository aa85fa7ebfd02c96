/** Selects keys with the same prefix. */
export type KeyFilter = (key: string) => boolean

/** A key-value cache. The prefix of a key names its owner. Throws UnavailableError if the cache does not respond. */
export interface Cache {
  /** Whether the servers of the platform use the same cache. */
  readonly isShared: boolean
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, ttlSeconds: number): Promise<void>
  /** Counts the keys with this prefix that the filter accepts. Keys that are written or removed meanwhile may or may not count. */
  countKeys(prefix: string, filter?: KeyFilter): Promise<number>
  /** Removes the keys with this prefix that the filter accepts. */
  clear(prefix: string, filter?: KeyFilter): Promise<void>
  /**
   * Adds to a number that all servers share. It starts at 0 and expires `lifetimeMs` after its first addition. Returns the sum and
   * when it expires. Absent if the cache is not shared.
   */
  addToCounter?: (key: string, addend: number, lifetimeMs: number) => Promise<{ sum: number; remainingMs: number }>
  close(): Promise<void>
}
