import { splitRequestId } from '@trunkline/contract/messages/request-id'

/** Milliseconds before a toast disappears. */
export const toastDurationMs = 5000

/** Maximum number of toasts on the screen; the oldest are removed first. */
const maxToasts = 4

export interface Toast {
  id: number
  kind: 'ok' | 'bad'
  text: string
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

/** All toasts share one timer: a new toast restarts it, and all disappear together. */
const restartTimer = () => {
  clearTimeout(timer)
  timer = undefined
  if (!isPaused && toasts.length > 0) timer = setTimeout(() => setToasts([]), toastDurationMs)
}

const addToast = (kind: Toast['kind'], text: string) => {
  const id = ++lastId
  // a repeated message replaces its earlier toast, also if it is about another request
  const { message } = splitRequestId(text)
  const otherToasts = toasts.filter((other) => splitRequestId(other.text).message !== message || other.kind !== kind)
  setToasts([...otherToasts, { id, kind, text }].slice(-maxToasts))
  restartTimer()
  return id
}

/** Shows a toast: `toast.ok` is announced politely, `toast.bad` immediately. Both return an id for `dismissToast`. */
export const toast = {
  ok: (text: string) => addToast('ok', text),
  bad: (text: string) => addToast('bad', text),
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
