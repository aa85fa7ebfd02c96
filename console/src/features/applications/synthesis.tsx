import { chooseVoice, hasModelVoices, listSynthesisLanguages, listVoices } from './speech-selection'
import { maxLengths } from '@trunkline/contract/speech/storable-catalogue'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectOrTextField } from '../../fields/select-or-text-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { VoiceWithPreview } from './speech-preview'
import { findCredential, formatColumnLabel, useDependentColumns, type ColumnPrefix } from './speech-choice'
import { useFetchCatalogue, useCatalogue, useCredentials, useCustomVoices, useSpeechOwner } from './speech-catalogue'
import { SpeechVendorFields } from './speech-vendor-fields'
import type { ApplicationValues } from './values'

const getColumnNames = (prefix: ColumnPrefix) =>
  ({
    vendor: `${prefix}speech_synthesis_vendor`,
    label: `${prefix}speech_synthesis_label`,
    language: `${prefix}speech_synthesis_language`,
    voice: `${prefix}speech_synthesis_voice`,
  }) as const

const useSynthesis = (prefix: ColumnPrefix) => {
  const names = getColumnNames(prefix)
  const { getValues } = useFormContext<ApplicationValues>()
  const [vendor, label, language, voice] = useWatch<
    ApplicationValues,
    [typeof names.vendor, typeof names.label, typeof names.language, typeof names.voice]
  >({
    name: [names.vendor, names.label, names.language, names.voice],
  }).map((value) => value ?? '') as [string, string, string, string]
  const owner = useSpeechOwner()
  const { setColumns, fillFromCatalogue, cancelFill } = useDependentColumns(useFetchCatalogue(owner))
  const { catalogue, isLoading } = useCatalogue(owner, vendor, label)

  const fillVoice = (nextVendor: string, nextLabel: string) =>
    void fillFromCatalogue(nextVendor, nextLabel, (nextCatalogue) => {
      const currentChoice = { language: getValues(names.language) ?? '', voice: getValues(names.voice) ?? '' }
      const { language: nextLanguage, voice: nextVoice } = chooseVoice(nextVendor, nextCatalogue, currentChoice)
      return { [names.language]: nextLanguage, [names.voice]: nextVoice }
    })

  return {
    names,
    vendor,
    label,
    language,
    voice,
    catalogue,
    owner,
    isLoading,
    selectVendor: (nextVendor: string | null) => {
      setColumns({ [names.label]: null, [names.language]: '', [names.voice]: '' })
      if (nextVendor) fillVoice(nextVendor, '')
      else cancelFill()
    },
    selectLabel: (nextLabel: string | null) => fillVoice(vendor, nextLabel ?? ''),
    selectLanguage: (nextLanguage: string | null) => {
      const currentVoice = getValues(names.voice) ?? ''
      // a custom voice works with every language
      if (currentVoice.startsWith('custom_')) return
      setColumns({
        [names.voice]: chooseVoice(vendor, catalogue, { language: nextLanguage ?? '', voice: currentVoice }).voice,
      })
    },
  }
}

/** Synthesis settings: vendor, credential, language and voice. The fallback may stay empty. */
export const Synthesis = ({ prefix }: { prefix: ColumnPrefix }) => {
  const synthesis = useSynthesis(prefix)
  const { names, vendor, label, language, catalogue, isLoading } = synthesis
  const { credentials } = useCredentials(synthesis.owner)
  const customVoices = useCustomVoices(synthesis.owner, vendor, label)
  const hasModels = hasModelVoices(vendor)
  const voices = listVoices(vendor, catalogue, language)
  return (
    <Grid>
      <SpeechVendorFields
        direction="synthesis"
        prefix={prefix}
        names={names}
        vendor={vendor}
        owner={synthesis.owner}
        onSelectVendor={synthesis.selectVendor}
        onSelectLabel={synthesis.selectLabel}
      />
      {vendor ? (
        <>
          {hasModels ? null : (
            <Cell>
              <SelectOrTextField
                name={names.language}
                label={formatColumnLabel(prefix, 'Synthesis language')}
                required
                items={listSynthesisLanguages(catalogue) ?? null}
                loading={isLoading}
                allowsCustomValue
                maxLength={maxLengths.synthesisLanguage}
                onSelect={synthesis.selectLanguage}
              />
            </Cell>
          )}
          <Cell>
            <VoiceWithPreview
              owner={synthesis.owner}
              credential={findCredential('synthesis', credentials, vendor, label)}
              language={language}
              voice={synthesis.voice}
            >
              <SelectOrTextField
                name={names.voice}
                label={formatColumnLabel(prefix, hasModels ? 'Synthesis model' : 'Voice')}
                required
                items={voices || customVoices.length > 0 ? [...(voices ?? []), ...customVoices] : null}
                loading={isLoading}
                allowsCustomValue
                maxLength={maxLengths.voice}
              />
            </VoiceWithPreview>
          </Cell>
        </>
      ) : null}
    </Grid>
  )
}
