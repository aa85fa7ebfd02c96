import { Button } from '../button'
import css from './column-dialog.module.css'
import { Dialog } from '../dialog/dialog'
import { Checkbox } from '../form/checkbox'

export interface ColumnDialogProps {
  columns: { id: string; head: string }[]
  visibleIds: readonly string[]
  onChange: (shownIds: string[]) => void
  /** Restores the default columns. */
  onReset: () => void
  onClose: () => void
}

/** The dialog that selects the columns of a table. Columns keep their order. */
export const ColumnDialog = ({ columns, visibleIds, onChange, onReset, onClose }: ColumnDialogProps) => (
  <Dialog
    opened
    onClose={onClose}
    title="Columns"
    footer={
      <>
        <Button onClick={onReset}>Reset to default</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </>
    }
  >
    <div className={css.list} role="group" aria-label="Columns">
      {columns.map(({ id, head }) => (
        <Checkbox
          key={id}
          label={head}
          checked={visibleIds.includes(id)}
          onChange={() =>
            onChange(visibleIds.includes(id) ? visibleIds.filter((visibleId) => visibleId !== id) : [...visibleIds, id])
          }
        />
      ))}
    </div>
  </Dialog>
)
