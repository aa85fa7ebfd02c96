import type { ListQuery } from '@trunkline/contract/kit/page'
import { Fragment, type ReactNode } from 'react'
import { FilterSelect } from '../../ui/table/filter-select'
import type { ListState } from './paging'

export type RenderFilter = (value: string, onChange: (value: string) => void) => ReactNode

/** A filter of a list, beside its text filter: a choice of a few values. */
export interface ListFilter<Row> {
  /** The name of its URL parameter. */
  id: string
  /** Its label on the button: 'Status'. */
  name: string
  /**
   * The values, without the one that shows all rows. Without them and without `render` there is no select: the screen
   * sets the URL.
   */
  options?: { value: string; label: string }[]
  /** Renders a select of its own. */
  render?: RenderFilter
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
  filters.map(({ id, name, options, render, allLabel = 'all' }) => {
    const value = listState.filters[id] ?? ''
    const setValue = (newValue: string) => onChange({ filters: { ...listState.filters, [id]: newValue } })
    if (render) return <Fragment key={id}>{render(value, setValue)}</Fragment>
    return options ? (
      <FilterSelect
        key={id}
        name={name}
        value={value}
        inactiveValue=""
        options={[{ value: '', label: allLabel }, ...options]}
        onChange={setValue}
      />
    ) : null
  })
