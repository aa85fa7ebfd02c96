import { useEffect } from 'react'
import { findOpenDialog, isSingleKey } from '../lib/single-key'
import { useStableCallback } from '../lib/use-stable-callback'
import { handleListKey, rememberFocusedRow } from '../ui/table/row-navigation'
import type { VisibleNavEntry } from './navigation'

const hasCommandModifier = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey

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
  /** The screens that G and a letter open. */
  screens: readonly VisibleNavEntry[]
  onOpen: (href: string) => void
}

/** The time in which a letter may follow G. */
const sequenceTimeoutMs = 2000

/** When G was pressed last, by `Event.timeStamp`. Undefined after the key that follows it. */
let goPressedAtMs: number | undefined

/** G and then a letter opens a screen. Returns true for both keys. */
const handleGoTo = (key: string, timeMs: number, { screens, onOpen }: ShortcutHandlers): boolean => {
  const isSecondKey = goPressedAtMs !== undefined && timeMs - goPressedAtMs < sequenceTimeoutMs
  goPressedAtMs = key === 'g' && !isSecondKey ? timeMs : undefined
  if (!isSecondKey) return key === 'g'
  const screen = screens.find(({ shortcut }) => shortcut === key)
  if (screen) onOpen(screen.href)
  // a mistyped letter must not act on the list
  return /^[a-z]$/.test(key)
}

/** Handles a single key. The keys of lists also work in the lists of an open dialog. */
const handleSingleKey = ({ key, repeat, timeStamp }: KeyboardEvent, handlers: ShortcutHandlers): boolean => {
  const dialog = findOpenDialog()
  const character = key.length === 1 ? key.toLowerCase() : key
  if (!dialog && handleGoTo(character, timeStamp, handlers)) return true
  if (character === '/') return focusFilter()
  if (character === '?' && !dialog) {
    handlers.onShortcuts()
    return true
  }
  const container = dialog ?? document.getElementById('main')
  return container !== null && handleListKey({ key: character, repeat }, container)
}

/** Handles a shortcut of the console. Returns whether it did anything; if not, the browser's default applies. */
const handleShortcut = (event: KeyboardEvent, handlers: ShortcutHandlers): boolean => {
  const key = event.key.toLowerCase()
  if (hasCommandModifier(event) && key === 'k') {
    handlers.onSearch()
    return true
  }
  if (hasCommandModifier(event) && key === 's') return saveForm()
  return isSingleKey(event) && handleSingleKey(event, handlers)
}

/** Listens for shortcuts, wherever the focus is. Renders nothing. */
export const KeyboardShortcuts = (handlers: ShortcutHandlers) => {
  const handleKeyDown = useStableCallback((event: KeyboardEvent) => {
    if (!event.isComposing && !event.defaultPrevented && handleShortcut(event, handlers)) event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', handleKeyDown)
    document.addEventListener('focusin', rememberFocusedRow)
    return () => {
      document.removeEventListener('keydown', handleKeyDown)
      document.removeEventListener('focusin', rememberFocusedRow)
    }
  }, [handleKeyDown])
  return null
}
