import { useQuery } from '@tanstack/react-query'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import { useState } from 'react'
import { namedQueryKey } from '../../lib/query-keys'
import { loadWithRetry } from '../../ui/feedback/lazy-component'
import type { AnyResource } from '../record/record'
import { addSidColumn } from './columns-button'
import type { CreateColumns, ListColumn } from './list-column'
import type { ListResult } from './use-list'
import { useVisibleColumns, type UrlColumns } from './visible-columns'

export interface ListColumnOptions<Row> {
  resource: AnyResource<Row>
  /** The columns after the name. */
  columns: ListColumn<Row>[]
  /** Loads further columns, all of them optional, for users who select the columns. */
  loadColumns?: () => Promise<CreateColumns<Row>>
}

const loadNoColumns = () => Promise.resolve(() => [])

/** The columns of a list after the name, and which of them the user has selected. */
export const useListColumns = <Row>(
  { resource, columns, loadColumns = loadNoColumns }: ListColumnOptions<Row>,
  urlColumns: UrlColumns,
) => {
  const baseColumns = addSidColumn(resource, columns)
  const defaultIds = baseColumns.filter(({ isOptional }) => !isOptional).map(({ id }) => id)
  const [isOpen, setIsOpen] = useState(false)
  const choice = useVisibleColumns(resource.kind, defaultIds, urlColumns)
  const { visibleColumns } = choice
  /** Does the user, or the URL, select the columns? */
  const isSelected = visibleColumns !== defaultIds
  const { data: createColumns } = useQuery({
    queryKey: namedQueryKey('server', 'columns', resource.kind),
    queryFn: () => loadWithRetry(loadColumns),
    enabled: isOpen || isSelected,
  })
  return {
    baseColumns,
    columnChoice: { ...choice, isOpen, setIsOpen },
    /** All columns, including those that depend on the rows. */
    createAllColumns: (list: ListResult<Row>, capabilities: ServerCapabilities): ListColumn<Row>[] => {
      const allColumns = [...baseColumns, ...(createColumns?.({ ...list, visibleColumns, capabilities }) ?? [])]
      // selected columns stay in a narrow window too: the table scrolls sideways
      return isSelected ? allColumns.map((column) => ({ ...column, dropOrder: 0 })) : allColumns
    },
  }
}
