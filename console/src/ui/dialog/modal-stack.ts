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

/** Returns the topmost modal dialog, or undefined. Everything outside it is inert. */
export const getTopModal = () => modals.at(-1)

/** Like `getTopModal`, and renders again when another modal dialog becomes the topmost. */
export const useTopModal = () => useSyncExternalStore(subscribe, getTopModal, getTopModal)
