import { useState } from 'react'
import { useDebounced } from '../lib/use-debounced'
import { Select, type SelectProps } from '../ui/form/select'
import { useRecordOptions, type RecordSource } from './record-options'
import { noneValue } from './use-text-input-props'

export interface RecordSelectProps extends Omit<SelectProps, 'options' | 'searchable' | 'loading' | 'onSearch'> {
  records: RecordSource
  /** The label of the first option, which means null: 'None', 'All accounts'. */
  noneLabel?: string | undefined
}

const searchDelayMs = 300

/**
 * Selects a record of another kind by name. A server that paginates searches by name; a complete list is searched here.
 */
export const RecordSelect = ({ records, noneLabel, value, ...select }: RecordSelectProps) => {
  const [search, setSearch] = useState('')
  const name = useDebounced(search.trim(), searchDelayMs)
  const { options, isFetching } = useRecordOptions(records, value === noneValue ? null : value, name)
  const noneOption = noneLabel === undefined ? [] : [{ value: noneValue, label: noneLabel }]
  return (
    <Select
      {...select}
      value={value}
      options={[...noneOption, ...options]}
      searchable
      loading={isFetching}
      onSearch={setSearch}
    />
  )
}
