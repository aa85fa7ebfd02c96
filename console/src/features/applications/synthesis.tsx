import { useDebouncedValue } from '@mantine/hooks'
import { messages } from '@trunkline/contract/messages/speech'
import { chooseSpoken, speaksByModel, spokenLanguages, voicesOf } from '@trunkline/contract/speech/selection'
import { isCustom, vendorName } from '@trunkline/contract/speech/vendors'
import { useFormContext, useWatch } from 'react-hook-form'
import { Choice } from '../../fields/choice'
import { Listed } from '../../fields/listed'
import { Cell, Grid } from '../../ui/form-layout'
import { labelIn, labelsOf, useFollow, vendorOptions, type Place } from './speech-choice'
import { useAskCatalogue, useCatalogue, useCredentials, useCustomVoices, useTenant } from './speech-lists'
import type { ApplicationValues } from './values'

const columns = (place: Place) =>
  ({
    vendor: `${place}speech_synthesis_vendor`,
    label: `${place}speech_synthesis_label`,
    language: `${place}speech_synthesis_language`,
    voice: `${place}speech_synthesis_voice`,
  }) as const

/** Why a language, voice or model is typed rather than chosen. */
const whyTyped = (what: string, vendor: string) =>
  isCustom(vendor) ? messages.custom(vendorName(vendor)) : messages.notListed(what, vendorName(vendor))

const useSynthesis = (place: Place) => {
  const names = columns(place)
  const { getValues } = useFormContext<ApplicationValues>()
  const [vendor, label, language] = useWatch<
    ApplicationValues,
    [typeof names.vendor, typeof names.label, typeof names.language]
  >({
    name: [names.vendor, names.label, names.language],
  }).map((value) => value ?? '') as [string, string, string]
  const tenant = useTenant()
  const { put, follow, stop } = useFollow(useAskCatalogue(tenant))
  const [asked] = useDebouncedValue(vendor, 200)
  const { catalogue, loading } = useCatalogue(tenant, asked === vendor ? vendor : '', label)

  const settle = (nextVendor: string, nextLabel: string) =>
    void follow(nextVendor, nextLabel, (offered) => {
      const present = { language: getValues(names.language) ?? '', voice: getValues(names.voice) ?? '' }
      const { language: spoken, voice } = chooseSpoken(nextVendor, offered, present)
      return { [names.language]: spoken, [names.voice]: voice }
    })

  return {
    names,
    vendor,
    label,
    language,
    catalogue,
    tenant,
    loading: loading || asked !== vendor,
    pickVendor: (picked: string | null) => {
      put({ [names.label]: null, [names.language]: '', [names.voice]: '' })
      if (picked) settle(picked, '')
      else stop()
    },
    pickLabel: (picked: string | null) => settle(vendor, picked ?? ''),
    pickLanguage: (picked: string | null) => {
      const voice = getValues(names.voice) ?? ''
      // a custom voice is not bound to a language
      if (voice.startsWith('custom_')) return
      put({ [names.voice]: chooseSpoken(vendor, catalogue, { language: picked ?? '', voice }).voice })
    },
  }
}

/** Who speaks: vendor, credential, language and voice. The second place may stay empty. */
export const Synthesis = ({ place }: { place: Place }) => {
  const it = useSynthesis(place)
  const { names, vendor, label, language, catalogue, loading } = it
  const { credentials, loading: labelsLoading } = useCredentials(it.tenant)
  const custom = useCustomVoices(it.tenant, vendor, label)
  const byModel = speaksByModel(vendor)
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
              typed={messages.labelsNotListed}
              none="None"
              maxLength={64}
              onPick={it.pickLabel}
            />
          </Cell>
          {byModel ? null : (
            <Cell>
              <Listed
                name={names.language}
                label={labelIn(place, 'Synthesis language')}
                required
                offers={spokenLanguages(catalogue) ?? null}
                loading={loading}
                typed={whyTyped('languages', vendor)}
                maxLength={12}
                onPick={it.pickLanguage}
              />
            </Cell>
          )}
          <Cell>
            <Listed
              name={names.voice}
              label={labelIn(place, byModel ? 'Synthesis model' : 'Voice')}
              required
              offers={voices || custom.length > 0 ? [...(voices ?? []), ...custom] : null}
              loading={loading}
              typed={whyTyped(byModel ? 'models' : 'voices', vendor)}
              maxLength={256}
            />
          </Cell>
        </>
      ) : null}
    </Grid>
  )
}
