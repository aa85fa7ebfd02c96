import { Dialog } from '../ui/dialog/dialog'
import { commandKey } from '../ui/key-caps'
import { ShortcutList } from '../ui/shell/shortcut-list'

/** Every shortcut of the console. */
const shortcuts = [
  { action: 'Search or jump to any page, record or action', keys: [commandKey, 'K'] },
  { action: 'Filter the list', keys: ['/'] },
  { action: 'Move between the rows of a list', keys: ['↑', '↓', 'Home', 'End'] },
  { action: 'Save the form', keys: [commandKey, 'S'] },
  { action: 'Play or pause a recording', keys: ['Space'] },
  { action: 'Skip 15 seconds back or forward in a recording', keys: ['←', '→'] },
  { action: 'Show these shortcuts', keys: ['?'] },
  { action: 'Close a dialog or an open row', keys: ['Esc'] },
]

/** The dialog that lists the shortcuts. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Keyboard shortcuts" width="narrow">
    <ShortcutList shortcuts={shortcuts} />
  </Dialog>
)
