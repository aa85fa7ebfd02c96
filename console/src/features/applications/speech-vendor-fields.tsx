import { maxLengths } from '@trunkline/contract/speech/storable-catalogue'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { SelectOrTextField } from '../../fields/select-or-text-field'
import { SelectField } from '../../fields/select-field'
import { Cell } from '../../ui/form/form-layout'
import { useCredentials, type SpeechOwner } from './speech-catalogue'
import { formatColumnLabel, listLabels, listVendorOptions, type ColumnPrefix } from './speech-choice'

const fieldLabels = {
  synthesis: { vendor: 'Speech synthesis vendor', label: 'Synthesis label' },
  recognition: { vendor: 'Speech recognizer vendor', label: 'Recognizer label' },
} as const

interface SpeechVendorFieldsProps {
  direction: Direction
  prefix: ColumnPrefix
  names: { vendor: string; label: string }
  /** The selected vendor, or ''. */
  vendor: string
  owner: SpeechOwner
  onSelectVendor: (vendor: string | null) => void
  onSelectLabel: (label: string | null) => void
}

/** The vendor of one direction and, once it is selected, the label of the credential. The fallback may stay empty. */
export const SpeechVendorFields = (props: SpeechVendorFieldsProps) => {
  const { direction, prefix, names, vendor, owner } = props
  const { credentials, isLoading } = useCredentials(owner)
  const labels = fieldLabels[direction]
  return (
    <>
      <Cell>
        <SelectField
          name={names.vendor}
          label={formatColumnLabel(prefix, labels.vendor)}
          required={prefix === ''}
          options={listVendorOptions(direction, credentials, vendor)}
          noneLabel={prefix === '' ? undefined : 'None'}
          onSelect={props.onSelectVendor}
        />
      </Cell>
      {vendor ? (
        <Cell>
          <SelectOrTextField
            name={names.label}
            label={formatColumnLabel(prefix, labels.label)}
            items={listLabels(direction, credentials, vendor)}
            loading={isLoading}
            noneLabel="None"
            maxLength={maxLengths.label}
            onSelect={props.onSelectLabel}
          />
        </Cell>
      ) : null}
    </>
  )
}
