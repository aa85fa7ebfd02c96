import {
  chooseRecognitionLanguage,
  recognitionLanguages,
  recognizesAnyLanguage,
} from '@trunkline/contract/speech/selection'
import { maxLengths } from '@trunkline/contract/speech/storable'
import { useFormContext, useWatch } from 'react-hook-form'
import { Choice } from '../../fields/choice-field'
import { Listed } from '../../fields/listed-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { labelIn, labelsOf, useFollow, vendorOptions, type Place } from './speech-choice'
import { useAskCatalogue, useCatalogue, useCredentials, useTenant } from './speech-catalogue'
import type { ApplicationValues } from './values'

const columns = (place: Place) =>
  ({
    vendor: `${place}speech_recognizer_vendor`,
    label: `${place}speech_recognizer_label`,
    language: `${place}speech_recognizer_language`,
  }) as const

/** Recognizer settings: vendor, credential and language. The fallback may stay empty. */
export const Recognizer = ({ place }: { place: Place }) => {
  const names = columns(place)
  const { getValues } = useFormContext<ApplicationValues>()
  const vendor = useWatch<ApplicationValues, typeof names.vendor>({ name: names.vendor }) ?? ''
  const label = useWatch<ApplicationValues, typeof names.label>({ name: names.label }) ?? ''
  const tenant = useTenant()
  const { credentials, loading: labelsLoading } = useCredentials(tenant)
  const { put, follow, stop } = useFollow(useAskCatalogue(tenant))
  const { catalogue, loading } = useCatalogue(tenant, vendor, label)

  const settle = (nextVendor: string, nextLabel: string) =>
    void follow(nextVendor, nextLabel, (offered) => ({
      [names.language]: chooseRecognitionLanguage(nextVendor, offered, getValues(names.language) ?? ''),
    }))
  const pickVendor = (picked: string | null) => {
    put({ [names.label]: null, [names.language]: '' })
    if (picked) settle(picked, '')
    else stop()
  }

  return (
    <Grid>
      <Cell>
        <Choice
          name={names.vendor}
          label={labelIn(place, 'Speech recognizer vendor')}
          required={place === ''}
          options={vendorOptions('recognition', credentials, vendor)}
          none={place === '' ? undefined : 'None'}
          onPick={pickVendor}
        />
      </Cell>
      {vendor ? (
        <>
          <Cell>
            <Listed
              name={names.label}
              label={labelIn(place, 'Recognizer label')}
              offers={labelsOf('recognition', credentials, vendor)}
              loading={labelsLoading}
              none="None"
              maxLength={maxLengths.label}
              onPick={(picked) => settle(vendor, picked ?? '')}
            />
          </Cell>
          {recognizesAnyLanguage(vendor) ? null : (
            <Cell>
              <Listed
                name={names.language}
                label={labelIn(place, 'Recognizer language')}
                required
                offers={recognitionLanguages(catalogue) ?? null}
                loading={loading}
                open
                maxLength={maxLengths.heardLanguage}
              />
            </Cell>
          )}
        </>
      ) : null}
    </Grid>
  )
}
