import { hasCatalogue } from './speech-selection'
import { useDebounced } from '../../lib/use-debounced'

/**
 * The delay before the catalogue of a newly selected vendor is requested. A user who steps through the vendors thus
 * causes only one request.
 */
export const catalogueDelayMs = 200

/**
 * Returns whether vendor and label have stayed the same long enough to request their catalogue. Always true for vendors
 * without a catalogue.
 */
export const useIsChoiceStable = (vendor: string, label: string): boolean => {
  const choice = `${vendor}\n${label}`
  const debouncedChoice = useDebounced(choice, catalogueDelayMs)
  return debouncedChoice === choice || !hasCatalogue(vendor)
}
