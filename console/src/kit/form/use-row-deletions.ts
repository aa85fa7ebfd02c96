import { useState } from 'react'

/** Tracks whether stored rows of a form are being deleted. A save must wait, because it would create them again. */
export const useRowDeletions = () => {
  const [running, setRunning] = useState(0)
  const during = async <Result>(removal: () => Promise<Result>): Promise<Result> => {
    setRunning((before) => before + 1)
    try {
      return await removal()
    } finally {
      setRunning((before) => before - 1)
    }
  }
  return { isRemoving: running > 0, during }
}
