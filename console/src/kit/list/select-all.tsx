import { useEffect, useRef, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import type { useSelection } from './use-selection'
import type { RowBatch } from './all-pages'
import { ownerWithDefaultProvider, type AnyResource } from '../record/record'

export interface SelectAllProps<Row> {
  resource: AnyResource<Row>
  selection: Pick<ReturnType<typeof useSelection<Row>>, 'sids' | 'add'>
  /** The number of rows that match the filter. */
  total: number | undefined
  /** Fetches all matching rows. */
  fetchRows: (signal: AbortSignal) => AsyncIterable<RowBatch<Row>>
}

/** Selects every row that matches the filter, on all pages, if the user may change it. */
export const SelectAll = <Row extends object>({ resource, selection, total = 0, fetchRows }: SelectAllProps<Row>) => {
  const can = useCan()
  const providerSid = useProviderSid()
  /** Undefined while nothing is running. */
  const [loadedCount, setLoadedCount] = useState<number>()
  const [isAllSelected, setIsAllSelected] = useState(false)
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => () => abortController.current?.abort(), [])

  const selectAll = async () => {
    const { signal } = (abortController.current = new AbortController())
    const matchingRows: Row[] = []
    setLoadedCount(0)
    try {
      for await (const batch of fetchRows(signal)) {
        signal.throwIfAborted()
        for (const row of batch.rows) matchingRows.push(row)
        setLoadedCount(matchingRows.length)
      }
      selection.add(
        matchingRows.filter((row) => can('update', resource.kind, ownerWithDefaultProvider(row, providerSid))),
      )
      setIsAllSelected(true)
    } catch (error) {
      if (!signal.aborted && !(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    setLoadedCount(undefined)
  }

  if (loadedCount !== undefined)
    return <Progress label={`Selecting ${resource.noun.plural}`} done={loadedCount} total={total} />
  if (isAllSelected || selection.sids.length >= total) return null
  return (
    <Button variant="borderless" size="sm" onClick={() => void selectAll()}>
      {`Select all ${total.toLocaleString('en-US')} that match`}
    </Button>
  )
}
