import { Button } from '../button'
import { Dialog } from './dialog'
import { BoxedDependents, type DependentGroup } from '../dependents'

export interface InUseDialogProps {
  opened: boolean
  /** Name of the record that can't be deleted. */
  name: string
  groups: DependentGroup[]
  onClose: () => void
}

/** Explains why a record can't be deleted, and links to its dependents. */
export const InUseDialog = ({ opened, name, groups, onClose }: InUseDialogProps) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    title={`${name} can't be deleted`}
    role="alertdialog"
    footer={
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <p>It is in use. Delete or change these first.</p>
    <BoxedDependents groups={groups} />
  </Dialog>
)
