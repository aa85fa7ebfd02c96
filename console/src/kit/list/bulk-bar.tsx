import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button'
import { Progress } from '../../ui/feedback/progress'
import { BulkActions, type BulkActionsProps } from './bulk-actions'
import css from './bulk-bar.module.css'
import { BulkResultBar } from './bulk-result'
import { SelectAll, type SelectAllProps } from './select-all'
import { useBulk, type Bulk } from './use-bulk'
import { useDeselectDeletedRows, type DeselectOptions } from './use-deselect-deleted-rows'
import type { Selection, useSelection } from './use-selection'

export interface BulkBarProps<Row>
  extends SelectAllProps<Row>, DeselectOptions<Row>, Pick<BulkActionsProps<Row>, 'removeOptions' | 'setActive'> {
  selection: ReturnType<typeof useSelection<Row>>
  /** The actions that only this list has. */
  renderActions?: ((selection: Selection<Row>, bulk: Bulk<Row>) => ReactNode) | undefined
}

/** The actions for the selected rows and their result: a bar between the rows and the pager. */
export const BulkBar = <Row extends object>({ pageKey, renderActions, ...props }: BulkBarProps<Row>) => {
  const { resource, selection } = props
  useDeselectDeletedRows({ ...props, pageKey })
  const bulk = useBulk(resource, selection)
  return (
    <>
      <BulkResultBar resource={resource} bulk={bulk} />
      {selection.sids.length > 0 ? (
        <div role="group" aria-label="Selection" className={css.bar}>
          <span role="status" className={css.count}>
            {`${selection.sids.length.toLocaleString('en-US')} selected`}
          </span>
          <span className={css.selectAll}>
            <SelectAll {...props} />
          </span>
          <span className={css.clear}>
            <Button variant="borderless" size="sm" icon={X} onClick={selection.clear}>
              <span className={css.clearLabel}>Clear selection</span>
            </Button>
          </span>
          <span className={css.tools}>
            {/* hidden, not removed, while an operation runs: their choices stay for another attempt */}
            <span className={css.actions} hidden={bulk.progress !== undefined}>
              {renderActions?.(selection, bulk)}
              <span className={css.general}>
                <BulkActions {...props} bulk={bulk} />
              </span>
            </span>
            {bulk.progress ? <Progress {...bulk.progress} /> : null}
          </span>
        </div>
      ) : null}
    </>
  )
}
