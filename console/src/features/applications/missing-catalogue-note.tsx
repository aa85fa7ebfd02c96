import { messages } from '@trunkline/contract/messages/speech-credential'
import {
  recognitionLanguages,
  recognizesAnyLanguage,
  hasModelVoices,
  synthesisLanguages,
} from '@trunkline/contract/speech/selection'
import { vendorName } from '@trunkline/contract/speech/vendors'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { useWatch } from 'react-hook-form'
import { Quiet } from '../../ui/muted'
import { useCatalogue, useCredentials, useTenant } from './speech-catalogue'
import type { ApplicationValues } from './values'

const spoken = (vendor: string, catalogue: Catalogue | null) =>
  hasModelVoices(vendor) ? catalogue?.models : synthesisLanguages(catalogue)
const heard = (vendor: string, catalogue: Catalogue | null) =>
  recognizesAnyLanguage(vendor) ? [] : recognitionLanguages(catalogue)

/**
 * Returns the vendor if its catalogue is missing, with the reason if known; undefined if it is present or no vendor is
 * selected.
 */
const useUnlisted = (
  vendor: string | null | undefined,
  label: string | null | undefined,
  lists: (vendor: string, catalogue: Catalogue | null) => unknown,
) => {
  const { catalogue, loading, why } = useCatalogue(useTenant(), vendor ?? '', label ?? '')
  return vendor && !loading && lists(vendor, catalogue) === undefined ? { vendor, why } : undefined
}

const watched = [
  'speech_synthesis_vendor',
  'speech_synthesis_label',
  'speech_recognizer_vendor',
  'speech_recognizer_label',
  'fallback_speech_synthesis_vendor',
  'fallback_speech_synthesis_label',
  'fallback_speech_recognizer_vendor',
  'fallback_speech_recognizer_label',
] as const

/** Explains once why speech values are typed instead of selected, however many fields are affected. */
export const TypedNote = () => {
  const { credentials, loading } = useCredentials(useTenant())
  const [speaker, speakerLabel, listener, listenerLabel, second, secondLabel, third, thirdLabel] = useWatch<
    ApplicationValues,
    typeof watched
  >({ name: watched })
  const unlisted = [
    useUnlisted(speaker, speakerLabel, spoken),
    useUnlisted(listener, listenerLabel, heard),
    useUnlisted(second, secondLabel, spoken),
    useUnlisted(third, thirdLabel, heard),
  ]
  const missing = unlisted.filter((each) => each !== undefined)
  const refused = missing.flatMap(({ vendor, why }) => (why ? [`${vendorName(vendor)}: ${why}`] : []))
  const vendors = [...new Set(missing.flatMap(({ vendor, why }) => (why ? [] : [vendorName(vendor)])))]
  const sentences = [
    ...new Set(refused),
    ...(vendors.length > 0 ? [messages.notListed(vendors)] : []),
    ...(credentials === null && !loading ? [messages.labelsNotListed] : []),
  ]
  return sentences.length > 0 ? <Quiet>{sentences.join(' ')}</Quiet> : null
}
