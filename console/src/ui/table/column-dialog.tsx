import { Button } from '../button'
import { Dialog } from '../dialog/dialog'
import { Checkbox } from '../form/checkbox'

export interface ColumnDialogProps {
  columns: { id: string; head: string }[]
  visibleIds: readonly string[]
  /** Without ids, the default columns are restored. */
  onChange: (shownIds?: string[]) => void
  onClose: () => void
}

/** Not in a style sheet: the name of its file would be part of the code of every list. */
const gridStyle = { display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))', gap: '10px 16px' }

/** The dialog that selects the columns of a table. Columns keep their order. */
export const ColumnDialog = ({ columns, visibleIds, onChange, onClose }: ColumnDialogProps) => (
  <Dialog
    opened
    onClose={onClose}
    title="Columns"
    footer={
      <>
        <Button onClick={() => onChange()}>Reset to default</Button>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </>
    }
  >
    <div style={gridStyle} role="group" aria-label="Columns">
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
