import { chooseVoice, hasModelVoices, listSynthesisLanguages, listVoices } from '@trunkline/contract/speech/selection'
import { maxLengths } from '@trunkline/contract/speech/storable-catalogue'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { Listed } from '../../fields/listed-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { VoiceWithPreview } from './speech-preview'
import {
  credentialOf,
  prefixLabel,
  labelsOf,
  useDependentColumns,
  vendorOptions,
  type ColumnPrefix,
} from './speech-choice'
import { useFetchCatalogue, useCatalogue, useCredentials, useCustomVoices, useSpeechOwner } from './speech-catalogue'
import type { ApplicationValues } from './values'

const columnNames = (prefix: ColumnPrefix) =>
  ({
    vendor: `${prefix}speech_synthesis_vendor`,
    label: `${prefix}speech_synthesis_label`,
    language: `${prefix}speech_synthesis_language`,
    voice: `${prefix}speech_synthesis_voice`,
  }) as const

const useSynthesis = (prefix: ColumnPrefix) => {
  const names = columnNames(prefix)
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
      const current = { language: getValues(names.language) ?? '', voice: getValues(names.voice) ?? '' }
      const { language: nextLanguage, voice: nextVoice } = chooseVoice(nextVendor, nextCatalogue, current)
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
    pickVendor: (nextVendor: string | null) => {
      setColumns({ [names.label]: null, [names.language]: '', [names.voice]: '' })
      if (nextVendor) fillVoice(nextVendor, '')
      else cancelFill()
    },
    pickLabel: (nextLabel: string | null) => fillVoice(vendor, nextLabel ?? ''),
    pickLanguage: (nextLanguage: string | null) => {
      const voice = getValues(names.voice) ?? ''
      // a custom voice works with every language
      if (voice.startsWith('custom_')) return
      setColumns({ [names.voice]: chooseVoice(vendor, catalogue, { language: nextLanguage ?? '', voice }).voice })
    },
  }
}

/** Synthesis settings: vendor, credential, language and voice. The fallback may stay empty. */
export const Synthesis = ({ prefix }: { prefix: ColumnPrefix }) => {
  const synthesis = useSynthesis(prefix)
  const { names, vendor, label, language, catalogue, isLoading } = synthesis
  const { credentials, isLoading: areLabelsLoading } = useCredentials(synthesis.owner)
  const customVoices = useCustomVoices(synthesis.owner, vendor, label)
  const hasModels = hasModelVoices(vendor)
  const voices = listVoices(vendor, catalogue, language)
  return (
    <Grid>
      <Cell>
        <SelectField
          name={names.vendor}
          label={prefixLabel(prefix, 'Speech synthesis vendor')}
          required={prefix === ''}
          options={vendorOptions('synthesis', credentials, vendor)}
          none={prefix === '' ? undefined : 'None'}
          onSelect={synthesis.pickVendor}
        />
      </Cell>
      {vendor ? (
        <>
          <Cell>
            <Listed
              name={names.label}
              label={prefixLabel(prefix, 'Synthesis label')}
              offers={labelsOf('synthesis', credentials, vendor)}
              loading={areLabelsLoading}
              none="None"
              maxLength={maxLengths.label}
              onSelect={synthesis.pickLabel}
            />
          </Cell>
          {hasModels ? null : (
            <Cell>
              <Listed
                name={names.language}
                label={prefixLabel(prefix, 'Synthesis language')}
                required
                offers={listSynthesisLanguages(catalogue) ?? null}
                loading={isLoading}
                open
                maxLength={maxLengths.synthesisLanguage}
                onSelect={synthesis.pickLanguage}
              />
            </Cell>
          )}
          <Cell>
            <VoiceWithPreview
              owner={synthesis.owner}
              credential={credentialOf('synthesis', credentials, vendor, label)}
              language={language}
              voice={synthesis.voice}
            >
              <Listed
                name={names.voice}
                label={prefixLabel(prefix, hasModels ? 'Synthesis model' : 'Voice')}
                required
                offers={voices || customVoices.length > 0 ? [...(voices ?? []), ...customVoices] : null}
                loading={isLoading}
                open
                maxLength={maxLengths.voice}
              />
            </VoiceWithPreview>
          </Cell>
        </>
      ) : null}
    </Grid>
  )
}
