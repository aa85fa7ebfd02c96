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

/** Keeps the selection across pages. */
export const useSelection = <Row>(resource: AnyResource<Row>, shownRows: readonly Row[]) => {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const onChange = (selectedSids: Set<string>) => {
    const rowsBySid = new Map(shownRows.map((row) => [sidOf(resource, row), row]))
    setRows(
      new Map(
        [...selectedSids].flatMap((sid) => {
          const row = rowsBySid.get(sid) ?? rows.get(sid)
          return row === undefined ? [] : [[sid, row] as const]
        }),
      ),
    )
  }
  const rowSelection: RowSelection<Row> = { selected: new Set(rows.keys()), onChange }
  const add = (addedRows: readonly Row[]) =>
    setRows(
      (previousRows) => new Map([...previousRows, ...addedRows.map((row) => [sidOf(resource, row), row] as const)]),
    )
  return { rows, sids: [...rows.keys()], add, clear: () => setRows(new Map()), rowSelection }
}
