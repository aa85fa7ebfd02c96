import { chooseRecognitionLanguage, listRecognitionLanguages, recognizesAnyLanguage } from './speech-selection'
import { maxLengths } from '@trunkline/contract/speech/storable-catalogue'
import { useFormContext, useWatch } from 'react-hook-form'
import { SelectOrTextField } from '../../fields/select-or-text-field'
import { Cell, Grid } from '../../ui/form/form-layout'
import { formatColumnLabel, useDependentColumns, type ColumnPrefix } from './speech-choice'
import { useFetchCatalogue, useCatalogue, useSpeechOwner } from './speech-catalogue'
import { SpeechVendorFields } from './speech-vendor-fields'
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
      <SpeechVendorFields
        direction="recognition"
        prefix={prefix}
        names={names}
        vendor={vendor}
        owner={owner}
        onSelectVendor={selectVendor}
        onSelectLabel={(nextLabel) => fillLanguage(vendor, nextLabel ?? '')}
      />
      {vendor && !recognizesAnyLanguage(vendor) ? (
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
      ) : null}
    </Grid>
  )
}
