interface Log {
  warn: (message: string) => void
  error: (message: string) => void
}

/**
 * Logs when the storage becomes full and when it accepts data again. Logs changes only: one line per refused request would
 * fill the full disk further.
 */
export const storageLog = (content: string) => {
  let isFull = false
  return {
    reportFull(log: Log, reason: string): void {
      if (!isFull) log.error(`New ${content} are refused: ${reason}`)
      isFull = true
    },
    reportStored(log: Log): void {
      if (isFull) log.warn(`New ${content} are stored again`)
      isFull = false
    },
  }
}
