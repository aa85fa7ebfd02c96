import { SearchX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { sayProblem } from '../lib/problem'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { FailedState } from '../ui/failed-state'
import type { Listed } from './use-list'

export interface NoRowsProps<Row> {
  list: Listed<Row>
  empty: { title: string; text?: ReactNode; icon?: LucideIcon; children?: ReactNode }
  /** The add button. */
  next: ReactNode
  /** Present when filters are in use. */
  onClear?: () => void
}

/** What stands where rows would: a failure, filters that match nothing, or the first step. */
export const NoRows = <Row,>({ list, empty, next, onClear }: NoRowsProps<Row>) => {
  if (list.error)
    return (
      <FailedState
        message={sayProblem(list.error)}
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
