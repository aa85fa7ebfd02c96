import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import css from './bulk-bar.module.css'
import { SelectAll, type SelectAllProps } from './select-all'

export interface BulkBarProps<Row> extends SelectAllProps<Row> {
  onClear: () => void
  children: ReactNode
}

/** The actions for the selected rows: a bar between the rows and the pager. */
export const BulkBar = <Row extends object>({ onClear, children, ...selectAllProps }: BulkBarProps<Row>) => (
  <div role="group" aria-label="Selection" className={css.bar}>
    <span
      role="status"
      className={css.count}
    >{`${selectAllProps.selection.sids.length.toLocaleString('en-US')} selected`}</span>
    <SelectAll {...selectAllProps} />
    <span className={css.clear}>
      <Button variant="borderless" size="sm" icon={X} onClick={onClear}>
        <span className={css.clearLabel}>Clear selection</span>
      </Button>
    </span>
    <span className={css.tools}>{children}</span>
  </div>
)
