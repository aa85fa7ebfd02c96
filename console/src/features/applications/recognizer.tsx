import {
  chooseRecognitionLanguage,
  listRecognitionLanguages,
  recognizesAnyLanguage,
} from '@trunkline/contract/speech/selection'
import { maxLengths } from '@trunkline/contract/speech/storable-catalogue'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { SelectOrTextField } from '../../fields/select-or-text-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import {
  formatColumnLabel,
  listLabels,
  useDependentColumns,
  listVendorOptions,
  type ColumnPrefix,
} from './speech-choice'
import { useFetchCatalogue, useCatalogue, useCredentials, useSpeechOwner } from './speech-catalogue'
import type { ApplicationValues } from './values'

const getColumnNames = (prefix: ColumnPrefix) =>
  ({
    vendor: `${prefix}speech_recognizer_vendor`,
    label: `${prefix}speech_recognizer_label`,
    language: `${prefix}speech_recognizer_language`,
  }) as const

/** Recognizer settings: vendor, credential and language. The fallback may stay empty. */
export const Recognizer = ({ prefix }: { prefix: ColumnPrefix }) => {
  const names = getColumnNames(prefix)
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
  const selectVendor = (nextVendor: string | null) => {
    setColumns({ [names.label]: null, [names.language]: '' })
    if (nextVendor) fillLanguage(nextVendor, '')
    else cancelFill()
  }

  return (
    <Grid>
      <Cell>
        <SelectField
          name={names.vendor}
          label={formatColumnLabel(prefix, 'Speech recognizer vendor')}
          required={prefix === ''}
          options={listVendorOptions('recognition', credentials, vendor)}
          noneLabel={prefix === '' ? undefined : 'None'}
          onSelect={selectVendor}
        />
      </Cell>
      {vendor ? (
        <>
          <Cell>
            <SelectOrTextField
              name={names.label}
              label={formatColumnLabel(prefix, 'Recognizer label')}
              items={listLabels('recognition', credentials, vendor)}
              loading={areLabelsLoading}
              noneLabel="None"
              maxLength={maxLengths.label}
              onSelect={(nextLabel) => fillLanguage(vendor, nextLabel ?? '')}
            />
          </Cell>
          {recognizesAnyLanguage(vendor) ? null : (
            <Cell>
              <SelectOrTextField
                name={names.language}
                label={formatColumnLabel(prefix, 'Recognizer language')}
                required
                items={listRecognitionLanguages(catalogue) ?? null}
                loading={isLoading}
                allowsCustomValue
                maxLength={maxLengths.recognitionLanguage}
              />
            </Cell>
          )}
        </>
      ) : null}
    </Grid>
  )
}
