import { messages } from '@trunkline/contract/messages/general'
import { Download, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { saveFile } from '../../lib/save-file'
import { IconButton } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import type { RowBatch } from './all-pages'
import type { AnyResource } from '../record/record'

export interface ExportButtonProps<Row> {
  resource: Pick<AnyResource<Row>, 'noun'>
  /** All rows of the list, filtered and sorted. */
  rows: (signal: AbortSignal) => AsyncIterable<RowBatch<Row>>
}

const fileName = (noun: string) =>
  `${noun.toLowerCase().replace(/\W+/g, '-')}-${new Date().toISOString().slice(0, 10)}.csv`

/** Exports a list as a CSV file. Shows the progress and a Cancel button. */
export const ExportButton = <Row extends object>({ resource, rows }: ExportButtonProps<Row>) => {
  const many = resource.noun.plural
  const [progress, setProgress] = useState<{ done: number; total: number }>()
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const run = async () => {
    const { signal } = (stop.current = new AbortController())
    setProgress({ done: 0, total: 0 })
    try {
      const { createCsvFile } = await import('./csv-table')
      const made = await createCsvFile(rows(signal), (done, total) => {
        signal.throwIfAborted()
        setProgress({ done, total })
      })
      saveFile(made.file, fileName(many))
      toast.ok(messages.exported(made.rows, made.rows === 1 ? resource.noun.singular : many))
    } catch (error) {
      if (!signal.aborted && !(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    setProgress(undefined)
  }

  if (!progress)
    return <IconButton icon={Download} iconSize={14} label={`Export ${many} as CSV`} onClick={() => void run()} />
  return (
    <>
      <Progress label={`Exporting ${many}`} {...progress} />
      <IconButton icon={X} iconSize={14} label="Cancel export" onClick={() => stop.current?.abort()} />
    </>
  )
}
