import { messages } from '@trunkline/contract/messages/general'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { useStableCallback } from '../../lib/use-stable-callback'
import { IconButton } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import { addExportValues, rowReader } from './all-pages'
import { downloadCsvFile } from './csv-table'
import type { RunningExportProps } from './export'

/** Exports a list while it is shown: the progress and a Cancel button. */
export const RunningExport = <Row extends object>({
  resource,
  fetchRows,
  columns = [],
  onEnd,
}: RunningExportProps<Row>) => {
  const { singular, plural } = resource.noun
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const [controller] = useState(() => new AbortController())
  const exportRows = useStableCallback(async () => {
    const { signal } = controller
    try {
      const fetchers = columns.flatMap(({ fetchExportValues }) => fetchExportValues ?? [])
      const batches = addExportValues(fetchRows(signal, rowReader), fetchers, signal)
      const rowCount = await downloadCsvFile(plural, batches, (done, total) => {
        signal.throwIfAborted()
        setProgress({ done, total })
      })
      toast.ok(messages.exported(rowCount, rowCount === 1 ? singular : plural))
    } catch (error) {
      if (!signal.aborted && !(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    onEnd()
  })
  useEffect(() => {
    void exportRows()
    return () => controller.abort()
  }, [controller, exportRows])
  return (
    <>
      <Progress label={`Exporting ${plural}`} {...progress} />
      <IconButton icon={X} iconSize={14} label="Cancel export" onClick={() => controller.abort()} />
    </>
  )
}
