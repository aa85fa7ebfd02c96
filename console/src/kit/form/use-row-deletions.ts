import { useState } from 'react'

/** Tracks whether stored rows of a form are being deleted. A save must wait, because it would create them again. */
export const useRowDeletions = () => {
  const [runningCount, setRunningCount] = useState(0)
  /** Runs a deletion. */
  const runDeletion = async <Result>(remove: () => Promise<Result>): Promise<Result> => {
    setRunningCount((count) => count + 1)
    try {
      return await remove()
    } finally {
      setRunningCount((count) => count - 1)
    }
  }
  return { isRemoving: runningCount > 0, runDeletion }
}
