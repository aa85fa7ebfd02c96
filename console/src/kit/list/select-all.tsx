import { useEffect, useRef, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import type { useSelection } from './use-selection'
import { rowReader, type FetchAllRows } from './all-pages'
import { ownerWithDefaultProvider, sidOf, type AnyResource } from '../record/record'

export interface SelectAllProps<Row> {
  resource: AnyResource<Row>
  selection: Pick<ReturnType<typeof useSelection<Row>>, 'rows' | 'add'>
  shownRows: readonly Row[]
  /** The number of rows that match the filters. */
  total: number | undefined
  /** Identifies the filters of the list. */
  filterKey: string
  /** Fetches all matching rows. */
  fetchRows: FetchAllRows<Row>
}

/** Selects every row that matches the filters, on all pages, if the user may change it. */
export const SelectAll = <Row extends object>(props: SelectAllProps<Row>) => {
  const { resource, selection, shownRows, total = 0, filterKey, fetchRows } = props
  const can = useCan()
  const providerSid = useProviderSid()
  /** Undefined while nothing is running. */
  const [loadedCount, setLoadedCount] = useState<number>()
  /** The result of the last click: the selectable rows, and the list that they belong to. */
  const [lastResult, setLastResult] = useState<{ listKey: string; sids: string[] }>()
  const abortController = useRef<AbortController>(undefined)
  useEffect(() => () => abortController.current?.abort(), [filterKey])

  const listKey = `${filterKey} ${total}`
  const canSelect = (row: Row) => can('update', resource.kind, ownerWithDefaultProvider(row, providerSid))
  const areSelected = (sids: readonly string[]) => sids.every((sid) => selection.rows.has(sid))
  const toSids = (rows: readonly Row[]) => rows.map((row) => sidOf(resource, row))
  const isAllSelected =
    (lastResult?.listKey === listKey && areSelected(lastResult.sids)) ||
    (shownRows.length >= total && areSelected(toSids(shownRows.filter(canSelect))))

  const selectAll = async () => {
    const { signal } = (abortController.current = new AbortController())
    const matchingRows: Row[] = []
    setLoadedCount(0)
    try {
      for await (const batch of fetchRows(signal, rowReader)) {
        signal.throwIfAborted()
        for (const row of batch.rows) matchingRows.push(row)
        setLoadedCount(matchingRows.length)
      }
      const selectableRows = matchingRows.filter(canSelect)
      selection.add(selectableRows)
      setLastResult({ listKey, sids: toSids(selectableRows) })
    } catch (error) {
      if (!signal.aborted && !(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    setLoadedCount(undefined)
  }

  if (loadedCount !== undefined)
    return <Progress label={`Selecting ${resource.noun.plural}`} done={loadedCount} total={total} />
  if (isAllSelected) return null
  return (
    <Button variant="borderless" size="sm" onClick={() => void selectAll()}>
      {`Select all ${total.toLocaleString('en-US')} that match`}
    </Button>
  )
}
