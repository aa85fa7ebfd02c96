import type { ListQuery } from '@trunkline/contract/kit/page'
import type { RecordSource } from '../../fields/record-options'
import { FilterSelect } from '../../ui/table/filter-select'
import type { ListState } from './paging'
import { RecordFilter } from './record-filter'

/** A filter of a list, beside its text filter: a choice of a few values. */
export interface ListFilter<Row> {
  /** The name of its URL parameter. */
  id: string
  /** Its label on the button: 'Status'. */
  name: string
  /**
   * The values, without the one that shows all rows. Without them and without `records` there is no select: the screen
   * sets the URL.
   */
  options?: { value: string; label: string }[]
  /** The records whose SIDs are the values. */
  records?: RecordSource
  /** The label of the value that shows all rows. Default: 'all'. */
  allLabel?: string
  /** Filters in the browser, for a server that returns the complete list. */
  match: (row: Row, value: string) => boolean
  /** The query for a server that paginates. Without it, the filter is hidden on such servers. */
  query?: (value: string) => Partial<ListQuery>
}

export interface ListFiltersProps<Row> {
  filters: ListFilter<Row>[]
  listState: ListState
  onChange: (part: Partial<ListState>) => void
}

export const ListFilters = <Row,>({ filters, listState, onChange }: ListFiltersProps<Row>) =>
  filters.map(({ id, name, options, records, allLabel = 'all' }) => {
    const allOption = { value: '', label: allLabel }
    const value = listState.filters[id] ?? ''
    const setValue = (newValue: string) => onChange({ filters: { ...listState.filters, [id]: newValue } })
    if (records)
      return (
        <RecordFilter
          key={id}
          label={name}
          source={records}
          fixedOptions={[allOption]}
          value={value}
          onChange={setValue}
        />
      )
    return options ? (
      <FilterSelect
        key={id}
        name={name}
        value={value}
        inactiveValue=""
        options={[allOption, ...options]}
        onChange={setValue}
      />
    ) : null
  })
