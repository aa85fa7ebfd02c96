/** Milliseconds before a toast disappears. */
export const toastDurationMs = 5000

/** Maximum number of toasts on the page. The oldest that are not sticky are removed first. */
const maxToasts = 4

export interface Toast {
  id: number
  kind: 'ok' | 'bad'
  text: string
  /** Stays until it is dismissed, because the user has to act on it. */
  sticky: boolean
}

let toasts: Toast[] = []
let lastId = 0
let isPaused = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const setToasts = (next: Toast[]) => {
  toasts = next
  for (const listener of listeners) listener()
}

/** All toasts share one timer: a new toast restarts it, and all that are not sticky disappear together. */
const restartTimer = () => {
  clearTimeout(timer)
  timer = undefined
  if (!isPaused && toasts.some(({ sticky }) => !sticky))
    timer = setTimeout(() => setToasts(toasts.filter(({ sticky }) => sticky)), toastDurationMs)
}

const limitCount = (allToasts: Toast[]): Toast[] => {
  const excessCount = Math.max(0, allToasts.length - maxToasts)
  const removedToasts = allToasts.filter(({ sticky }) => !sticky).slice(0, excessCount)
  return allToasts.filter((candidate) => !removedToasts.includes(candidate))
}

const addToast = (kind: Toast['kind'], text: string, sticky = false) => {
  const id = ++lastId
  // a repeated message replaces its earlier toast
  const otherToasts = toasts.filter((existingToast) => existingToast.text !== text || existingToast.kind !== kind)
  setToasts(limitCount([...otherToasts, { id, kind, text, sticky }]))
  restartTimer()
  return id
}

/** Shows a toast: `toast.ok` is announced politely, `toast.bad` immediately. Both return an id for `dismissToast`. */
export const toast = {
  ok: (text: string) => addToast('ok', text),
  bad: (text: string, { sticky = false }: { sticky?: boolean } = {}) => addToast('bad', text, sticky),
}

export const dismissToast = (id: number) => {
  setToasts(toasts.filter((existingToast) => existingToast.id !== id))
  if (toasts.length === 0) isPaused = false
  restartTimer()
}

/** Removes all toasts, for example when a session ends. */
export const clearToasts = () => {
  isPaused = false
  setToasts([])
  restartTimer()
}

/** Keeps the toasts while the user reads them. */
export const pauseToasts = () => {
  isPaused = true
  restartTimer()
}

export const resumeToasts = () => {
  isPaused = false
  restartTimer()
}

export const subscribeToToasts = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const getToasts = () => toasts
