import { hasCatalogue } from '@trunkline/contract/speech/selection'
import { useDebounced } from '../../lib/use-debounced'

/**
 * The delay before the lists of a newly selected vendor are requested, so that stepping through the vendors requests
 * only one.
 */
export const listsDelayMs = 200

/**
 * Returns whether vendor and label have stayed the same long enough to request their lists. Always true for vendors
 * without lists.
 */
export const useSettled = (vendor: string, label: string): boolean => {
  const choice = `${vendor}\n${label}`
  const settled = useDebounced(choice, listsDelayMs)
  return settled === choice || !hasCatalogue(vendor)
}
