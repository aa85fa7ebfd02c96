/** What is quick to have and cheap to lose, under names whose beginning says whose it is. Throws Unavailable when it does not answer. */
export interface Cache {
  set(key: string, value: string, seconds: number): Promise<void>
  /** How many keys begin so. One that comes or goes meanwhile may or may not count. */
  count(prefix: string): Promise<number>
  /** Forgets every key that begins so. */
  clear(prefix: string): Promise<void>
  close(): Promise<void>
}
