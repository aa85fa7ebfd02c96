import { messages } from '@trunkline/contract/messages/general'
import { Download, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { IconButton } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import type { RowBatch } from './all-pages'
import type { AnyResource } from '../record/record'

export interface ExportButtonProps<Row> {
  resource: Pick<AnyResource<Row>, 'noun'>
  /** Fetches all rows of the list, filtered and sorted. */
  fetchRows: (signal: AbortSignal) => AsyncIterable<RowBatch<Row>>
}

/** Exports a list as a CSV file. Shows the progress and a Cancel button. */
export const ExportButton = <Row extends object>({ resource, fetchRows }: ExportButtonProps<Row>) => {
  const { singular, plural } = resource.noun
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => () => abortController.current?.abort(), [])

  const exportRows = async () => {
    const { signal } = (abortController.current = new AbortController())
    setProgress({ done: 0, total: 0 })
    try {
      const { downloadCsvFile } = await import('./csv-table')
      const rowCount = await downloadCsvFile(plural, fetchRows(signal), (done, total) => {
        signal.throwIfAborted()
        setProgress({ done, total })
      })
      toast.ok(messages.exported(rowCount, rowCount === 1 ? singular : plural))
    } catch (error) {
      if (!signal.aborted && !(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    setProgress(undefined)
  }

  if (!progress)
    return (
      <IconButton icon={Download} iconSize={14} label={`Export ${plural} as CSV`} onClick={() => void exportRows()} />
    )
  return (
    <>
      <Progress label={`Exporting ${plural}`} {...progress} />
      <IconButton icon={X} iconSize={14} label="Cancel export" onClick={() => abortController.current?.abort()} />
    </>
  )
}
