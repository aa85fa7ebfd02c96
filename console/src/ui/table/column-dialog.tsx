import { Button } from '../button'
import css from './column-dialog.module.css'
import { Dialog } from '../dialog/dialog'
import { Checkbox } from '../form/checkbox'

export interface ColumnDialogProps {
  columns: { id: string; head: string }[]
  shown: readonly string[]
  onChange: (shown: string[]) => void
  /** Restores the default columns. */
  onReset: () => void
  onClose: () => void
}

/** The dialog that selects the columns of a table. Columns keep their order. */
export const ColumnDialog = ({ columns, shown, onChange, onReset, onClose }: ColumnDialogProps) => (
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
          checked={shown.includes(id)}
          onChange={() => onChange(shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id])}
        />
      ))}
    </div>
  </Dialog>
)
