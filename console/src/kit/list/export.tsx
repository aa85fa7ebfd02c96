import { Download } from 'lucide-react'
import { useState, type ComponentType } from 'react'
import { getErrorMessage } from '../../lib/problem'
import { IconButton } from '../../ui/button'
import { loadWithRetry } from '../../ui/feedback/lazy-component'
import { toast } from '../../ui/feedback/toast'
import type { FetchAllRows } from './all-pages'
import type { AnyResource } from '../record/record'
import type { ListColumn } from './list-column'

export interface ExportButtonProps<Row> {
  resource: Pick<AnyResource<Row>, 'noun'>
  /** Fetches all rows of the list, filtered and sorted. */
  fetchRows: FetchAllRows<Row>
  /** The visible columns, whose values are added to the rows. */
  columns?: readonly ListColumn<Row>[]
}

export interface RunningExportProps<Row> extends ExportButtonProps<Row> {
  onEnd: () => void
}

/** Exports a list as a CSV file. The code of the export is loaded when the user presses the button. */
export const ExportButton = <Row extends object>(props: ExportButtonProps<Row>) => {
  const [Running, setRunning] = useState<ComponentType<RunningExportProps<Row>>>()
  const start = async () => {
    try {
      const { RunningExport } = await loadWithRetry(() => import('./running-export'))
      setRunning(() => RunningExport)
    } catch (error) {
      toast.bad(getErrorMessage(error))
    }
  }
  return Running ? (
    <Running {...props} onEnd={() => setRunning(undefined)} />
  ) : (
    <IconButton
      icon={Download}
      iconSize={14}
      label={`Export ${props.resource.noun.plural} as CSV`}
      onClick={() => void start()}
    />
  )
}
