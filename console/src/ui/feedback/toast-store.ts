/** Milliseconds before a toast disappears. */
export const toastDurationMs = 5000

/** Maximum number of toasts on the page; the oldest are removed first. */
const most = 4

export interface Toast {
  id: number
  kind: 'ok' | 'bad'
  text: string
  /** Stays until it is dismissed, because the user has to act on it. */
  sticky: boolean
}

let list: Toast[] = []
let counter = 0
let held = false
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

const set = (next: Toast[]) => {
  list = next
  for (const tell of watchers) tell()
}

/** All toasts share one timer: a new toast restarts it, and all that are not sticky disappear together. */
const restart = () => {
  clearTimeout(timer)
  timer = undefined
  if (!held && list.some((each) => !each.sticky))
    timer = setTimeout(() => set(list.filter((each) => each.sticky)), toastDurationMs)
}

const say = (kind: Toast['kind'], text: string, sticky = false) => {
  const id = ++counter
  // a repeated message replaces its earlier toast
  set([...list.filter((each) => each.text !== text || each.kind !== kind), { id, kind, text, sticky }].slice(-most))
  restart()
  return id
}

/** Shows a toast: `toast.ok` is announced politely, `toast.bad` immediately. Both return an id for `dismiss`. */
export const toast = {
  ok: (text: string) => say('ok', text),
  bad: (text: string, { sticky = false }: { sticky?: boolean } = {}) => say('bad', text, sticky),
}

export const dismissToast = (id: number) => {
  set(list.filter((each) => each.id !== id))
  if (list.length === 0) held = false
  restart()
}

/** Removes all toasts, for example when a session ends. */
export const clearToasts = () => {
  held = false
  set([])
  restart()
}

/** Keeps the toasts while the user reads them. */
export const pauseToasts = () => {
  held = true
  restart()
}

export const resumeToasts = () => {
  held = false
  restart()
}

export const subscribe = (tell: () => void) => {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

export const getToasts = () => list
