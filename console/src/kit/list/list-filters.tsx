import type { ListQuery } from '@trunkline/contract/kit/page'
import { FilterSelect } from '../../ui/table/filter-select'
import type { ListState } from './paging'

/** A filter of a list, beside its text filter: a choice of a few values. */
export interface ListFilter<Row> {
  /** The name of its URL parameter. */
  id: string
  /** Its label on the button: 'Status'. */
  name: string
  /** The values, without the one that shows all rows. Without them there is no select: the screen sets the URL. */
  options?: { value: string; label: string }[]
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
  filters.map(({ id, name, options, allLabel = 'all' }) =>
    options ? (
      <FilterSelect
        key={id}
        name={name}
        value={listState.filters[id] ?? ''}
        inactiveValue=""
        options={[{ value: '', label: allLabel }, ...options]}
        onChange={(value) => onChange({ filters: { ...listState.filters, [id]: value } })}
      />
    ) : null,
  )
