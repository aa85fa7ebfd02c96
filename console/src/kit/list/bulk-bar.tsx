import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import css from './bulk-bar.module.css'
import { SelectAll, type SelectAllProps } from './select-all'
import { useDeselectDeletedRows, type DeselectOptions } from './use-deselect-deleted-rows'

export interface BulkBarProps<Row> extends SelectAllProps<Row>, DeselectOptions<Row> {
  selection: SelectAllProps<Row>['selection'] & DeselectOptions<Row>['selection']
  onClear: () => void
  children: ReactNode
}

/** The actions for the selected rows: a bar between the rows and the pager. */
export const BulkBar = <Row extends object>({ onClear, children, pageKey, ...props }: BulkBarProps<Row>) => {
  useDeselectDeletedRows({ ...props, pageKey })
  return (
    <div role="group" aria-label="Selection" className={css.bar}>
      <span role="status" className={css.count}>
        {`${props.selection.sids.length.toLocaleString('en-US')} selected`}
      </span>
      <SelectAll {...props} />
      <span className={css.clear}>
        <Button variant="borderless" size="sm" icon={X} onClick={onClear}>
          <span className={css.clearLabel}>Clear selection</span>
        </Button>
      </span>
      <span className={css.tools}>{children}</span>
    </div>
  )
}
