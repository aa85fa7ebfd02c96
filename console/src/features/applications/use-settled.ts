import { hasCatalogue } from '@trunkline/contract/speech/selection'
import { useDebounced } from '../../lib/use-debounced'

/** The delay before the lists of a newly chosen vendor are requested: stepping through the vendors requests one. */
export const listsDelayMs = 200

/** Whether a vendor and label have stayed chosen long enough to request their lists. True at once for vendors without lists. */
export const useSettled = (vendor: string, label: string): boolean => {
  const choice = `${vendor}\n${label}`
  const settled = useDebounced(choice, listsDelayMs)
  return settled === choice || !hasCatalogue(vendor)
}
