import { Dialog } from '../ui/dialog/dialog'
import { commandKey } from '../ui/key-caps'
import { ShortcutList, type Shortcut } from '../ui/shell/shortcut-list'
import type { VisibleNavEntry } from './navigation'

const general: Shortcut[] = [
  { action: 'Search or jump to any screen, record or action', keys: [commandKey, 'K'] },
  { action: 'Save the form', keys: [commandKey, 'S'] },
  { action: 'Close a dialog, an open row or an open call', keys: ['Esc'] },
  { action: 'Refresh Home', keys: ['R'] },
  { action: 'Show these shortcuts', keys: ['?'] },
]

const lists: Shortcut[] = [
  { action: 'Next or previous row', keys: ['J', 'K'], alternatives: ['↓', '↑'] },
  { action: 'First or last row', keys: ['Home', 'End'] },
  { action: 'Open the row', keys: ['Enter'] },
  { action: 'Select the row', keys: ['X'] },
  { action: 'Edit the row', keys: ['E'] },
  { action: 'Delete the row', keys: ['#'] },
  { action: 'Add a record', keys: ['C'] },
  { action: 'Filter the list', keys: ['/'] },
]

const records: Shortcut[] = [
  { action: "Open a record's settings", keys: ['E'] },
  { action: 'Open a tab of a record', keys: ['1', '…', '9'] },
  { action: 'Next or previous call, while one is open', keys: ['J', 'K'] },
  { action: 'Play or pause a recording', keys: ['Space'] },
  { action: 'Skip 15 seconds back or forward in a recording', keys: ['←', '→'] },
]

export interface ShortcutsDialogProps {
  /** The screens that G and a letter open. */
  screens: readonly VisibleNavEntry[]
  onClose: () => void
}

/** The dialog that lists the shortcuts. */
export const ShortcutsDialog = ({ screens, onClose }: ShortcutsDialogProps) => (
  <Dialog opened onClose={onClose} title="Keyboard shortcuts" isTextOnly>
    <ShortcutList title="Everywhere" shortcuts={general} />
    <ShortcutList title="Lists" shortcuts={lists} />
    <ShortcutList title="Records and calls" shortcuts={records} />
    <ShortcutList
      title="Go to"
      shortcuts={screens.flatMap(({ label, shortcut }) =>
        shortcut ? [{ action: label, keys: ['G', shortcut.toUpperCase()] }] : [],
      )}
    />
  </Dialog>
)
