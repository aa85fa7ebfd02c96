import type { RecordingList } from '../../ports/recording-store'
import { parseLocalKey } from './recording-keys'

/** Creates the updater that adds stored recordings to the list. Failures are logged. */
export const createListUpdater = (list: RecordingList, logError: (message: string) => void) => {
  /** Whether the list may lack local recordings. */
  let mayBeIncomplete = true
  const addToList = async (keys: string[]): Promise<boolean> => {
    try {
      await list.add(keys.flatMap(parseLocalKey))
      return true
    } catch (error) {
      mayBeIncomplete = true
      logError(`Recordings could not be added to the list: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }
  return {
    /** Returns whether the recording has been added. */
    addNewRecording: (key: string): Promise<boolean> => addToList([key]),
    /**
     * Adds recordings of older versions of this server, and those that could not be added when they arrived. Returns whether all
     * local recordings are listed.
     */
    async addMissingRecordings(listLocalKeys: () => Promise<string[]>): Promise<boolean> {
      if (!mayBeIncomplete) return true
      // Cleared first: a recording that fails while the others are being added sets it again.
      mayBeIncomplete = false
      try {
        return await addToList(await listLocalKeys())
      } catch (error) {
        mayBeIncomplete = true
        throw error
      }
    },
  }
}

export type ListUpdater = ReturnType<typeof createListUpdater>
