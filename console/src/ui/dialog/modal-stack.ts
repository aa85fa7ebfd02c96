import { useSyncExternalStore } from 'react'

let modals: readonly HTMLElement[] = []
const listeners = new Set<() => void>()

const setModals = (next: readonly HTMLElement[]) => {
  modals = next
  for (const listener of listeners) listener()
}

/** Registers an open modal dialog; returns a function that removes it. */
export const registerModal = (element: HTMLElement) => {
  setModals([...modals, element])
  return () => setModals(modals.filter((modal) => modal !== element))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const getTopModal = () => modals.at(-1)

/** Returns the topmost modal dialog, or undefined. Everything outside it is inert. */
export const useTopModal = () => useSyncExternalStore(subscribe, getTopModal, getTopModal)
