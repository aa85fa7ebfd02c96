import { useEffect } from 'react'

/** Single-key shortcuts must not fire while the user types. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=combobox]') !== null

const withCommand = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
const alone = (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event)

/** An open dialog captures the shortcuts. */
const layer = () => document.querySelector<HTMLElement>('[aria-modal=true]')

const saveForm = () => {
  const form = (layer() ?? document.getElementById('main'))?.querySelector('form')
  form?.requestSubmit()
  return form !== null && form !== undefined
}

const focusFilter = () => {
  const filter = layer() ? null : document.querySelector<HTMLInputElement>('#main input[type=search]')
  filter?.focus()
  filter?.select()
  return filter !== null
}

export interface ShortcutHandlers {
  onSearch: () => void
  onShortcuts: () => void
}

/** Handles a shortcut of the console. Returns whether it did anything; if not, the browser's default applies. */
const answer = (event: KeyboardEvent, { onSearch, onShortcuts }: ShortcutHandlers): boolean => {
  const key = event.key.toLowerCase()
  if (withCommand(event) && key === 'k') {
    onSearch()
    return true
  }
  if (withCommand(event) && key === 's') return saveForm()
  if (!alone(event)) return false
  if (key === '/') return focusFilter()
  if (key !== '?' || layer()) return false
  onShortcuts()
  return true
}

/** Listens for shortcuts, wherever the focus is. Both callbacks must be stable. */
export const useKeyboardShortcuts = ({ onSearch, onShortcuts }: ShortcutHandlers) => {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (!event.isComposing && !event.defaultPrevented && answer(event, { onSearch, onShortcuts }))
        event.preventDefault()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [onSearch, onShortcuts])
}
