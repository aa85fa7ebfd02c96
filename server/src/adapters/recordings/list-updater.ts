import type { RecordingList } from '../../ports/recording-store'
import { parseLocalKey } from './recording-keys'

/** Creates the updater that adds stored recordings to the list. Storing succeeds even if this fails. */
export const createListUpdater = (list: RecordingList, logError: (message: string) => void) => {
  /** Does the list contain all local recordings? */
  let isListComplete = false
  const addToList = async (keys: string[]): Promise<boolean> => {
    try {
      await list.add(keys.flatMap(parseLocalKey))
      return true
    } catch (error) {
      logError(`Recordings could not be added to the list: ${error instanceof Error ? error.message : String(error)}`)
      return false
    }
  }
  return {
    async addNewRecording(key: string): Promise<void> {
      isListComplete = (await addToList([key])) && isListComplete
    },
    /** Adds recordings of older versions of this server, and those that could not be added when they arrived. */
    async addMissingRecordings(listLocalKeys: () => Promise<string[]>): Promise<void> {
      isListComplete ||= await addToList(await listLocalKeys())
    },
  }
}
