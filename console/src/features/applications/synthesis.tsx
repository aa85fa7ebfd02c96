import { chooseVoice, hasModelVoices, synthesisLanguages, voicesOf } from '@trunkline/contract/speech/selection'
import { maxLengths } from '@trunkline/contract/speech/storable'
import { useFormContext, useWatch } from 'react-hook-form'
import { Choice } from '../../fields/choice-field'
import { Listed } from '../../fields/listed-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Hearable } from './speech-preview'
import { credentialOf, labelIn, labelsOf, useFollow, vendorOptions, type Place } from './speech-choice'
import { useAskCatalogue, useCatalogue, useCredentials, useCustomVoices, useTenant } from './speech-catalogue'
import type { ApplicationValues } from './values'

const columns = (place: Place) =>
  ({
    vendor: `${place}speech_synthesis_vendor`,
    label: `${place}speech_synthesis_label`,
    language: `${place}speech_synthesis_language`,
    voice: `${place}speech_synthesis_voice`,
  }) as const

const useSynthesis = (place: Place) => {
  const names = columns(place)
  const { getValues } = useFormContext<ApplicationValues>()
  const [vendor, label, language, voice] = useWatch<
    ApplicationValues,
    [typeof names.vendor, typeof names.label, typeof names.language, typeof names.voice]
  >({
    name: [names.vendor, names.label, names.language, names.voice],
  }).map((value) => value ?? '') as [string, string, string, string]
  const tenant = useTenant()
  const { put, follow, stop } = useFollow(useAskCatalogue(tenant))
  const { catalogue, loading } = useCatalogue(tenant, vendor, label)

  const settle = (nextVendor: string, nextLabel: string) =>
    void follow(nextVendor, nextLabel, (offered) => {
      const present = { language: getValues(names.language) ?? '', voice: getValues(names.voice) ?? '' }
      const { language: spoken, voice } = chooseVoice(nextVendor, offered, present)
      return { [names.language]: spoken, [names.voice]: voice }
    })

  return {
    names,
    vendor,
    label,
    language,
    voice,
    catalogue,
    tenant,
    loading,
    pickVendor: (picked: string | null) => {
      put({ [names.label]: null, [names.language]: '', [names.voice]: '' })
      if (picked) settle(picked, '')
      else stop()
    },
    pickLabel: (picked: string | null) => settle(vendor, picked ?? ''),
    pickLanguage: (picked: string | null) => {
      const voice = getValues(names.voice) ?? ''
      // a custom voice works with every language
      if (voice.startsWith('custom_')) return
      put({ [names.voice]: chooseVoice(vendor, catalogue, { language: picked ?? '', voice }).voice })
    },
  }
}

/** Synthesis settings: vendor, credential, language and voice. The fallback may stay empty. */
export const Synthesis = ({ place }: { place: Place }) => {
  const it = useSynthesis(place)
  const { names, vendor, label, language, catalogue, loading } = it
  const { credentials, loading: labelsLoading } = useCredentials(it.tenant)
  const custom = useCustomVoices(it.tenant, vendor, label)
  const byModel = hasModelVoices(vendor)
  const voices = voicesOf(vendor, catalogue, language)
  return (
    <Grid>
      <Cell>
        <Choice
          name={names.vendor}
          label={labelIn(place, 'Speech synthesis vendor')}
          required={place === ''}
          options={vendorOptions('synthesis', credentials, vendor)}
          none={place === '' ? undefined : 'None'}
          onPick={it.pickVendor}
        />
      </Cell>
      {vendor ? (
        <>
          <Cell>
            <Listed
              name={names.label}
              label={labelIn(place, 'Synthesis label')}
              offers={labelsOf('synthesis', credentials, vendor)}
              loading={labelsLoading}
              none="None"
              maxLength={maxLengths.label}
              onPick={it.pickLabel}
            />
          </Cell>
          {byModel ? null : (
            <Cell>
              <Listed
                name={names.language}
                label={labelIn(place, 'Synthesis language')}
                required
                offers={synthesisLanguages(catalogue) ?? null}
                loading={loading}
                open
                maxLength={maxLengths.spokenLanguage}
                onPick={it.pickLanguage}
              />
            </Cell>
          )}
          <Cell>
            <Hearable
              tenant={it.tenant}
              credential={credentialOf('synthesis', credentials, vendor, label)}
              language={language}
              voice={it.voice}
            >
              <Listed
                name={names.voice}
                label={labelIn(place, byModel ? 'Synthesis model' : 'Voice')}
                required
                offers={voices || custom.length > 0 ? [...(voices ?? []), ...custom] : null}
                loading={loading}
                open
                maxLength={maxLengths.voice}
              />
            </Hearable>
          </Cell>
        </>
      ) : null}
    </Grid>
  )
}
