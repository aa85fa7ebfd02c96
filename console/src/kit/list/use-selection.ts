import { useState } from 'react'
import type { RowSelection } from '../../ui/table/table-props'
import { sidOf, type AnyResource } from '../record/record'

/** The selected rows, on this page and on others. */
export interface Selection<Row> {
  /** By SID. */
  rows: ReadonlyMap<string, Row>
  sids: string[]
  clear: () => void
}

/** Keeps the selection across pages. Rows on the current page are up to date, others as they were when last shown. */
export const useSelection = <Row>(resource: AnyResource<Row>, shownRows: readonly Row[]) => {
  const [storedRows, setStoredRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const shownRowsBySid = new Map(shownRows.map((row) => [sidOf(resource, row), row]))
  const rows = new Map([...storedRows].map(([sid, row]) => [sid, shownRowsBySid.get(sid) ?? row]))
  const onChange = (selectedSids: Set<string>) =>
    setStoredRows(
      new Map(
        [...selectedSids].flatMap((sid) => {
          const row = shownRowsBySid.get(sid) ?? rows.get(sid)
          return row === undefined ? [] : [[sid, row] as const]
        }),
      ),
    )
  const rowSelection: RowSelection<Row> = { selected: new Set(rows.keys()), onChange }
  const add = (addedRows: readonly Row[]) =>
    setStoredRows(
      (previousRows) => new Map([...previousRows, ...addedRows.map((row) => [sidOf(resource, row), row] as const)]),
    )
  const remove = (sids: readonly string[]) =>
    setStoredRows((previousRows) => new Map([...previousRows].filter(([sid]) => !sids.includes(sid))))
  return { rows, sids: [...rows.keys()], add, remove, clear: () => setStoredRows(new Map()), rowSelection }
}
