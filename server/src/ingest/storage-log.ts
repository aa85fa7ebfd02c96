interface Log {
  warn: (message: string) => void
  error: (message: string) => void
}

/**
 * Creates a log of when the storage becomes full and when it accepts data again. It only logs these changes: one line per refused
 * request would fill the disk even more. `content` is the subject of the messages, in the plural.
 */
export const createStorageLog = (content: string) => {
  let isFull = false
  return {
    reportFull(log: Log, reason: string): void {
      if (!isFull) log.error(`New ${content} are refused: ${reason}`)
      isFull = true
    },
    reportStored(log: Log): void {
      if (isFull) log.warn(`Storage has recovered. New ${content} are accepted.`)
      isFull = false
    },
  }
}
