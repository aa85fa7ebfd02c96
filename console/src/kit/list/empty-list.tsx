import { SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { FailedState } from '../../ui/feedback/failed-state'
import type { ListResult } from './use-list'

export interface EmptyListProps<Row> {
  list: ListResult<Row>
  empty: { title: string; text?: ReactNode; icon?: LucideIcon; children?: ReactNode }
  /** Buttons for a list without records: the add button. */
  actions: ReactNode
  /** Clears the filters. Absent if no filter is active. */
  onClear?: () => void
}

/** Replaces the rows of an empty list. Shows the error, or that no row matches the filters, or how to add the first record. */
export const EmptyList = <Row,>({ list, empty, actions, onClear }: EmptyListProps<Row>) => {
  if (list.error)
    return (
      <FailedState
        message={getErrorMessage(list.error)}
        text="The list could not be loaded."
        onRetry={list.refresh}
        pending={list.refreshing}
      />
    )
  if (onClear)
    return (
      <EmptyState icon={SearchX} title="Nothing matches these filters.">
        <Button onClick={onClear}>Clear filters</Button>
      </EmptyState>
    )
  return (
    <EmptyState icon={empty.icon} title={empty.title} text={empty.text}>
      {empty.children}
      {actions}
    </EmptyState>
  )
}
