import { useDebouncedValue } from '@mantine/hooks'
import { hasCatalogue } from '@trunkline/contract/speech/selection'

/** The delay before the lists of a newly chosen vendor are requested: stepping through the vendors requests one. */
export const listsDelayMs = 200

/** Whether a vendor and label have stayed chosen long enough to request their lists. True at once for vendors without lists. */
export const useSettled = (vendor: string, label: string): boolean => {
  const choice = `${vendor}\n${label}`
  const [settled] = useDebouncedValue(choice, listsDelayMs)
  return settled === choice || !hasCatalogue(vendor)
}
