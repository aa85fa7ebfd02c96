import { hasCatalogue } from '@trunkline/contract/speech/selection'
import { useDebounced } from '../../lib/use-debounced'

/**
 * The delay before the lists of a newly selected vendor are requested, so that stepping through the vendors requests
 * only one.
 */
export const catalogueDelayMs = 200

/**
 * Returns whether vendor and label have stayed the same long enough to request their lists. Always true for vendors
 * without lists.
 */
export const useIsChoiceStable = (vendor: string, label: string): boolean => {
  const choice = `${vendor}\n${label}`
  const debouncedChoice = useDebounced(choice, catalogueDelayMs)
  return debouncedChoice === choice || !hasCatalogue(vendor)
}
