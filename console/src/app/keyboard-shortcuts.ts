import { useEffect } from 'react'

/** Single-key shortcuts must not fire while the user types. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=combobox]') !== null

const hasCommandModifier = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
const isSingleKeyShortcut = (event: KeyboardEvent) =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)

/** An open dialog captures the shortcuts. */
const findOpenDialog = () => document.querySelector<HTMLElement>('[aria-modal=true]')

const saveForm = () => {
  const form = (findOpenDialog() ?? document.getElementById('main'))?.querySelector('form')
  form?.requestSubmit()
  return form !== null && form !== undefined
}

const focusFilter = () => {
  const filter = findOpenDialog() ? null : document.querySelector<HTMLInputElement>('#main input[type=search]')
  filter?.focus()
  filter?.select()
  return filter !== null
}

export interface ShortcutHandlers {
  onSearch: () => void
  onShortcuts: () => void
}

/** Handles a shortcut of the console. Returns whether it did anything; if not, the browser's default applies. */
const handleShortcut = (event: KeyboardEvent, { onSearch, onShortcuts }: ShortcutHandlers): boolean => {
  const key = event.key.toLowerCase()
  if (hasCommandModifier(event) && key === 'k') {
    onSearch()
    return true
  }
  if (hasCommandModifier(event) && key === 's') return saveForm()
  if (!isSingleKeyShortcut(event)) return false
  if (key === '/') return focusFilter()
  if (key !== '?' || findOpenDialog()) return false
  onShortcuts()
  return true
}

/** Listens for shortcuts, wherever the focus is. Both callbacks must be stable. */
export const useKeyboardShortcuts = ({ onSearch, onShortcuts }: ShortcutHandlers) => {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!event.isComposing && !event.defaultPrevented && handleShortcut(event, { onSearch, onShortcuts }))
        event.preventDefault()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [onSearch, onShortcuts])
}
