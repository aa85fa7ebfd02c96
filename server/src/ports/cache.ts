/** Which of the keys that begin alike are meant. */
export type KeyFilter = (key: string) => boolean

/** What is quick to have and cheap to lose, under names whose beginning says whose it is. Throws Unavailable when it does not answer. */
export interface Cache {
  /** Whether other servers of the platform use it too. */
  readonly shared: boolean
  /** What is kept under a key, as long as it is. */
  get(key: string): Promise<string | undefined>
  set(key: string, value: string, seconds: number): Promise<void>
  /** How many keys begin so, and are meant. One that comes or goes meanwhile may or may not count. */
  count(prefix: string, filter?: KeyFilter): Promise<number>
  /** Forgets every key that begins so, and is meant. */
  clear(prefix: string, filter?: KeyFilter): Promise<void>
  close(): Promise<void>
}
