import type { LucideIcon } from 'lucide-react'
import { useEffect, useId } from 'react'

/** An action of the screen in view, which the command palette offers as well. */
export interface ScreenAction {
  icon: LucideIcon
  label: string
  /** The keys that do the same. */
  keys?: readonly string[]
  /** URL of a link. An action without one has `run`. */
  href?: string
  run?: () => void
}

const actionsByOwner = new Map<string, readonly ScreenAction[]>()

/** The actions that the components in view have registered, those of a screen before those of its parts. */
export const getScreenActions = (): ScreenAction[] => {
  const actions = [...actionsByOwner.values()].toReversed().flat()
  return actions.filter(({ label }, index) => actions.findIndex((action) => action.label === label) === index)
}

/** Registers actions for the command palette while the component is mounted. */
export const useScreenActions = (actions: readonly ScreenAction[]): void => {
  const owner = useId()
  // on each render: the actions contain functions of this render
  useEffect(() => {
    actionsByOwner.set(owner, actions)
    return () => {
      actionsByOwner.delete(owner)
    }
  })
}
