import { X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button'
import type { Selection } from '../ui/data-table'
import { Toolbar } from '../ui/toolbar'
import css from './bulk.module.css'
import { sidOf, type Screened } from './record'

/** The rows that were chosen, on this page and on others. */
export interface Chosen<Row> {
  /** By sid. */
  rows: ReadonlyMap<string, Row>
  sids: string[]
  clear: () => void
}

/** Remembers chosen rows across pages. */
export const useChosen = <Row,>(of: Screened<Row>, shown: readonly Row[]) => {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map())
  const onChange = (next: Set<string>) => {
    const found = new Map(shown.map((row) => [sidOf(of, row), row]))
    setRows(
      new Map(
        [...next].flatMap((sid) => {
          const row = found.get(sid) ?? rows.get(sid)
          return row === undefined ? [] : [[sid, row] as const]
        }),
      ),
    )
  }
  const selection: Selection<Row> = { chosen: new Set(rows.keys()), onChange }
  return { rows, sids: [...rows.keys()], clear: () => setRows(new Map()), selection }
}

/** What can be done with the chosen rows, in the place of the filters. */
export const BulkBar = ({ count, onClear, children }: { count: number; onClear: () => void; children: ReactNode }) => (
  // all of it in the part of the bar that never folds away: this is what the rows were chosen for
  <Toolbar
    filter={
      <>
        <span role="status" className={css.count}>{`${count} selected`}</span>
        <span className={css.deed}>{children}</span>
        <span className={css.clear}>
          <Button look="quiet" size="sm" icon={X} onClick={onClear}>
            Clear selection
          </Button>
        </span>
      </>
    }
  />
)
