import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { toast } from '../../ui/feedback/toast'
import { refreshAfterChange, sidOf, type AnyResource } from '../record/record'
import type { BulkFailure, BulkOperation } from './run-bulk'
import type { useSelection } from './use-selection'

export interface BulkResult<Row> {
  operation: BulkOperation<Row>
  /** The changed records, as they were before. */
  doneRows: readonly Row[]
  failures: readonly BulkFailure<Row>[]
}

/** Runs an operation on records. Changed records are deselected, the others stay selected for another attempt. */
export const useBulk = <Row>(
  resource: AnyResource<Row>,
  selection: Pick<ReturnType<typeof useSelection<Row>>, 'remove'>,
) => {
  const cache = useQueryClient()
  const [progress, setProgress] = useState<{ label: string; done: number; total: number }>()
  const [result, setResult] = useState<BulkResult<Row>>()

  const run = async (operation: BulkOperation<Row>, rows: readonly Row[]) => {
    const { label } = operation
    setResult(undefined)
    setProgress({ label, done: 0, total: rows.length })
    try {
      const failures = await operation.run(rows, (done) => setProgress({ label, done, total: rows.length }))
      const failedRows = new Set(failures.map(({ row }) => row))
      const doneRows = rows.filter((row) => !failedRows.has(row))
      selection.remove(doneRows.map((row) => sidOf(resource, row)))
      setResult({ operation, doneRows, failures })
      if (operation.toastText && doneRows.length > 0) toast.ok(operation.toastText)
    } catch (error) {
      if (!(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    setProgress(undefined)
    await refreshAfterChange(cache, resource.kind)
  }
  const undo = ({ operation, doneRows }: BulkResult<Row>) =>
    operation.undo && run({ label: 'Undoing', run: operation.undo, participle: 'restored' }, doneRows)

  return { progress, result, run, undo, dismiss: () => setResult(undefined) }
}

export type Bulk<Row> = ReturnType<typeof useBulk<Row>>
