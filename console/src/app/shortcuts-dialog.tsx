import { Dialog } from '../ui/dialog/dialog'
import { commandKey } from '../ui/key-caps'
import { ShortcutList } from '../ui/shell/shortcut-list'

/** Every shortcut of the console. */
const shortcuts = [
  { does: 'Search or jump to any page, record or action', keys: [commandKey, 'K'] },
  { does: 'Filter the list', keys: ['/'] },
  { does: 'Move between the rows of a list', keys: ['↑', '↓', 'Home', 'End'] },
  { does: 'Save the form', keys: [commandKey, 'S'] },
  { does: 'Play or pause a recording', keys: ['Space'] },
  { does: 'Skip 15 seconds back or forward in a recording', keys: ['←', '→'] },
  { does: 'Show these shortcuts', keys: ['?'] },
  { does: 'Close a dialog or an open row', keys: ['Esc'] },
]

/** The dialog that lists the shortcuts. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Keyboard shortcuts" width="narrow">
    <ShortcutList shortcuts={shortcuts} />
  </Dialog>
)
