import {
  chooseRecognitionLanguage,
  listRecognitionLanguages,
  recognizesAnyLanguage,
} from '@trunkline/contract/speech/selection'
import { maxLengths } from '@trunkline/contract/speech/storable-catalogue'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { Listed } from '../../fields/listed-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { prefixLabel, labelsOf, useDependentColumns, vendorOptions, type ColumnPrefix } from './speech-choice'
import { useFetchCatalogue, useCatalogue, useCredentials, useSpeechOwner } from './speech-catalogue'
import type { ApplicationValues } from './values'

const columnNames = (prefix: ColumnPrefix) =>
  ({
    vendor: `${prefix}speech_recognizer_vendor`,
    label: `${prefix}speech_recognizer_label`,
    language: `${prefix}speech_recognizer_language`,
  }) as const

/** Recognizer settings: vendor, credential and language. The fallback may stay empty. */
export const Recognizer = ({ prefix }: { prefix: ColumnPrefix }) => {
  const names = columnNames(prefix)
  const { getValues } = useFormContext<ApplicationValues>()
  const vendor = useWatch<ApplicationValues, typeof names.vendor>({ name: names.vendor }) ?? ''
  const label = useWatch<ApplicationValues, typeof names.label>({ name: names.label }) ?? ''
  const owner = useSpeechOwner()
  const { credentials, isLoading: areLabelsLoading } = useCredentials(owner)
  const { setColumns, fillFromCatalogue, cancelFill } = useDependentColumns(useFetchCatalogue(owner))
  const { catalogue, isLoading } = useCatalogue(owner, vendor, label)

  const fillLanguage = (nextVendor: string, nextLabel: string) =>
    void fillFromCatalogue(nextVendor, nextLabel, (nextCatalogue) => ({
      [names.language]: chooseRecognitionLanguage(nextVendor, nextCatalogue, getValues(names.language) ?? ''),
    }))
  const pickVendor = (nextVendor: string | null) => {
    setColumns({ [names.label]: null, [names.language]: '' })
    if (nextVendor) fillLanguage(nextVendor, '')
    else cancelFill()
  }

  return (
    <Grid>
      <Cell>
        <SelectField
          name={names.vendor}
          label={prefixLabel(prefix, 'Speech recognizer vendor')}
          required={prefix === ''}
          options={vendorOptions('recognition', credentials, vendor)}
          none={prefix === '' ? undefined : 'None'}
          onSelect={pickVendor}
        />
      </Cell>
      {vendor ? (
        <>
          <Cell>
            <Listed
              name={names.label}
              label={prefixLabel(prefix, 'Recognizer label')}
              offers={labelsOf('recognition', credentials, vendor)}
              loading={areLabelsLoading}
              none="None"
              maxLength={maxLengths.label}
              onSelect={(picked) => fillLanguage(vendor, picked ?? '')}
            />
          </Cell>
          {recognizesAnyLanguage(vendor) ? null : (
            <Cell>
              <Listed
                name={names.language}
                label={prefixLabel(prefix, 'Recognizer language')}
                required
                offers={listRecognitionLanguages(catalogue) ?? null}
                loading={isLoading}
                open
                maxLength={maxLengths.recognitionLanguage}
              />
            </Cell>
          )}
        </>
      ) : null}
    </Grid>
  )
}
