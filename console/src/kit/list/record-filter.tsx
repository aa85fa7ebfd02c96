import { useState } from 'react'
import { useRecordOptions, type RecordSource } from '../../fields/record-options'
import { useDebounced } from '../../lib/use-debounced'
import { FilterSelect } from '../../ui/table/filter-select'
import type { Option } from '../../ui/form/match-options'

export interface RecordFilterProps {
  label: string
  /** The records to choose from. They are loaded when the filter opens. */
  source: RecordSource
  /** The choices before the records. That with the value '' shows all rows. */
  fixedOptions: Option[]
  /** A record's SID, or the value of one of the fixed options. */
  value: string
  onChange: (value: string) => void
}

const searchDelayMs = 300

/** A filter of a list by a record that its rows refer to. */
export const RecordFilter = ({ label, source, fixedOptions, value, onChange }: RecordFilterProps) => {
  const [searchText, setSearchText] = useState<string>()
  const debouncedText = useDebounced(searchText?.trim() ?? '', searchDelayMs)
  const isRecord = !fixedOptions.some((option) => option.value === value)
  const { options, isFetching } = useRecordOptions(
    { ...source, isIdle: searchText === undefined },
    isRecord ? value : null,
    debouncedText,
  )
  return (
    <FilterSelect
      name={label}
      value={value}
      inactiveValue=""
      loading={isFetching}
      searchable
      onSearch={setSearchText}
      options={[...fixedOptions, ...options]}
      onChange={onChange}
    />
  )
}
