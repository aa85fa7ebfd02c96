import { messages } from '@trunkline/contract/messages/speech-credential'
import {
  listRecognitionLanguages,
  recognizesAnyLanguage,
  hasModelVoices,
  listSynthesisLanguages,
} from './speech-selection'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { useWatch } from 'react-hook-form'
import { Muted } from '../../ui/muted'
import { useCatalogue, useCredentials, useSpeechOwner } from './speech-catalogue'
import type { ApplicationValues } from './values'

/** Returns the models or languages that the user can select; undefined if the catalogue lacks them. */
const listSynthesisOptions = (vendor: string, catalogue: Catalogue | null) =>
  hasModelVoices(vendor) ? catalogue?.models : listSynthesisLanguages(catalogue)
/** Like `listSynthesisOptions`; empty for a vendor that recognizes any language, because there is nothing to select. */
const listRecognitionOptions = (vendor: string, catalogue: Catalogue | null) =>
  recognizesAnyLanguage(vendor) ? [] : listRecognitionLanguages(catalogue)

/**
 * Returns the vendor if its catalogue is missing, with the reason if known; undefined if it is present or no vendor is
 * selected.
 */
const useMissingCatalogue = (
  vendor: string | null | undefined,
  label: string | null | undefined,
  getOptions: (vendor: string, catalogue: Catalogue | null) => unknown,
) => {
  const { catalogue, isLoading, errorMessage } = useCatalogue(useSpeechOwner(), vendor ?? '', label ?? '')
  return vendor && !isLoading && getOptions(vendor, catalogue) === undefined ? { vendor, errorMessage } : undefined
}

const watchedFields = [
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
export const MissingCatalogueNote = () => {
  const { credentials, isLoading } = useCredentials(useSpeechOwner())
  const [
    synthesisVendor,
    synthesisLabel,
    recognizerVendor,
    recognizerLabel,
    fallbackSynthesisVendor,
    fallbackSynthesisLabel,
    fallbackRecognizerVendor,
    fallbackRecognizerLabel,
  ] = useWatch<ApplicationValues, typeof watchedFields>({ name: watchedFields })
  const results = [
    useMissingCatalogue(synthesisVendor, synthesisLabel, listSynthesisOptions),
    useMissingCatalogue(recognizerVendor, recognizerLabel, listRecognitionOptions),
    useMissingCatalogue(fallbackSynthesisVendor, fallbackSynthesisLabel, listSynthesisOptions),
    useMissingCatalogue(fallbackRecognizerVendor, fallbackRecognizerLabel, listRecognitionOptions),
  ]
  const missingCatalogues = results.filter((result) => result !== undefined)
  const vendorErrors = missingCatalogues.flatMap(({ vendor, errorMessage }) =>
    errorMessage ? [`${getVendorName(vendor)}: ${errorMessage}`] : [],
  )
  const vendors = [
    ...new Set(missingCatalogues.flatMap(({ vendor, errorMessage }) => (errorMessage ? [] : [getVendorName(vendor)]))),
  ]
  const sentences = [
    ...new Set(vendorErrors),
    ...(vendors.length > 0 ? [messages.noCatalogue(vendors)] : []),
    ...(credentials === null && !isLoading ? [messages.noLabels] : []),
  ]
  return sentences.length > 0 ? <Muted>{sentences.join(' ')}</Muted> : null
}
