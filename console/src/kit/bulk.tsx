import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { Toolbar } from '../ui/toolbar'
import css from './bulk.module.css'
import { SelectAll, type SelectAllProps } from './select-all'

export interface BulkBarProps<Row> extends SelectAllProps<Row> {
  onClear: () => void
  children: ReactNode
}

/** What can be done with the chosen rows, in the place of the filters. */
export const BulkBar = <Row extends object>({ onClear, children, ...all }: BulkBarProps<Row>) => (
  // all of it in the part of the bar that never folds away: this is what the rows were chosen for
  <Toolbar
    filter={
      <>
        <span role="status" className={css.count}>{`${all.chosen.sids.length.toLocaleString('en-US')} selected`}</span>
        <SelectAll {...all} />
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
