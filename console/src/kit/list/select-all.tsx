import { useEffect, useRef, useState } from 'react'
import { Problem, getErrorMessage } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { toast } from '../../ui/feedback/toast'
import type { useSelection } from './use-selection'
import type { RowBatch } from './all-pages'
import { ownerInProvider, type AnyResource } from '../record/record'

export interface SelectAllProps<Row> {
  resource: AnyResource<Row>
  chosen: Pick<ReturnType<typeof useSelection<Row>>, 'sids' | 'add'>
  /** The number of rows that match the filter. */
  total: number | undefined
  rows: (signal: AbortSignal) => AsyncIterable<RowBatch<Row>>
}

/** Selects every row that matches the filter, on all pages, if the user may change it. */
export const SelectAll = <Row extends object>({ resource, chosen, total = 0, rows }: SelectAllProps<Row>) => {
  const can = useCan()
  const provider = useProviderSid()
  const [done, setDone] = useState<number>()
  const [all, setAll] = useState(false)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])

  const run = async () => {
    const { signal } = (stop.current = new AbortController())
    const matchingRows: Row[] = []
    setDone(0)
    try {
      for await (const portion of rows(signal)) {
        signal.throwIfAborted()
        for (const row of portion.rows) matchingRows.push(row)
        setDone(matchingRows.length)
      }
      chosen.add(matchingRows.filter((row) => can('update', resource.kind, ownerInProvider(row, provider))))
      setAll(true)
    } catch (error) {
      if (!signal.aborted && !(error instanceof Problem && error.hasEndedSession)) toast.bad(getErrorMessage(error))
    }
    setDone(undefined)
  }

  if (done !== undefined) return <Progress label={`Selecting ${resource.noun.plural}`} done={done} total={total} />
  if (all || chosen.sids.length >= total) return null
  return (
    <Button variant="borderless" size="sm" onClick={() => void run()}>
      {`Select all ${total.toLocaleString('en-US')} that match`}
    </Button>
  )
}
