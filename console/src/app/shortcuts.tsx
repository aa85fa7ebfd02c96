import { Dialog } from '../ui/dialog'
import { commandKey } from '../ui/key-caps'
import { ShortcutList } from '../ui/shortcut-list'

/** Every key that does something of ours. */
const shortcuts = [
  { does: 'Search or jump to any page, record or action', keys: [commandKey, 'K'] },
  { does: 'Go to the filter of the list', keys: ['/'] },
  { does: 'Save the form', keys: [commandKey, 'S'] },
  { does: 'Play a recording, or pause it', keys: ['Space'] },
  { does: 'Go 15 seconds back or on in a recording', keys: ['←', '→'] },
  { does: 'Show these shortcuts', keys: ['?'] },
  { does: 'Close what lies over the page', keys: ['Esc'] },
]

/** The keys of the console, over the page. */
export const Shortcuts = ({ onClose }: { onClose: () => void }) => (
  <Dialog opened onClose={onClose} title="Keyboard shortcuts" width="narrow">
    <ShortcutList shortcuts={shortcuts} />
  </Dialog>
)
