/** How long a toast stays when nobody looks at it. */
export const toastLife = 5000

/** The eldest leave when more than this would stand on the page. */
const most = 4

export interface Toast {
  id: number
  kind: 'ok' | 'bad'
  text: string
  /** Stays until it is dismissed: it carries something to act on. */
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

/** One timer for all: a new toast starts it anew, and all that may go leave together. */
const restart = () => {
  clearTimeout(timer)
  timer = undefined
  if (!held && list.some((each) => !each.sticky))
    timer = setTimeout(() => set(list.filter((each) => each.sticky)), toastLife)
}

const say = (kind: Toast['kind'], text: string, sticky = false) => {
  const id = ++counter
  // the same words twice are one toast that came again
  set([...list.filter((each) => each.text !== text || each.kind !== kind), { id, kind, text, sticky }].slice(-most))
  restart()
  return id
}

/** Says what happened: `toast.ok` politely, `toast.bad` at once. Both answer an id for `dismiss`. */
export const toast = {
  ok: (text: string) => say('ok', text),
  bad: (text: string, { sticky = false }: { sticky?: boolean } = {}) => say('bad', text, sticky),
}

export const dismiss = (id: number) => {
  set(list.filter((each) => each.id !== id))
  if (list.length === 0) held = false
  restart()
}

/** Empties the place, as when a session ends. */
export const clearToasts = () => {
  held = false
  set([])
  restart()
}

/** While somebody reads, nothing leaves. */
export const hold = () => {
  held = true
  restart()
}

export const release = () => {
  held = false
  restart()
}

export const watch = (tell: () => void) => {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

export const shown = () => list
