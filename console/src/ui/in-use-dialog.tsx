import { Button } from './button'
import { Dialog } from './dialog'
import { Uses, type UseGroup } from './uses'

export interface InUseDialogProps {
  opened: boolean
  /** The record that can't be deleted. */
  name: string
  groups: UseGroup[]
  /** The server's own sentence, if it says more. */
  message?: string
  onClose: () => void
}

/** Why a record can't be deleted: what uses it, each a link. */
export const InUseDialog = ({
  opened,
  name,
  groups,
  message = 'It is in use. Remove or move these first.',
  onClose,
}: InUseDialogProps) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    title={`${name} can't be deleted`}
    role="alertdialog"
    foot={
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <p>{message}</p>
    <Uses groups={groups} />
  </Dialog>
)
