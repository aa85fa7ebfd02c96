import { SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { FailedState } from '../../ui/feedback/failed-state'
import type { ListResult } from './use-list'

export interface NoRowsProps<Row> {
  list: ListResult<Row>
  empty: { title: string; text?: ReactNode; icon?: LucideIcon; children?: ReactNode }
  /** The add button. */
  next: ReactNode
  /** Present if filters are active. */
  onClear?: () => void
}

/** Shown in place of rows: an error, a hint that no row matches the filters, or the first step. */
export const NoRows = <Row,>({ list, empty, next, onClear }: NoRowsProps<Row>) => {
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
      <EmptyState icon={SearchX} title="Nothing matches these filters." text={empty.title}>
        <Button onClick={onClear}>Clear filters</Button>
      </EmptyState>
    )
  return (
    <EmptyState icon={empty.icon} title={empty.title} text={empty.text}>
      {empty.children}
      {next}
    </EmptyState>
  )
}
