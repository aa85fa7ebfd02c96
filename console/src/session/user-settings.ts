import { useSyncExternalStore } from 'react'
import type { Actor } from '@trunkline/contract/policy/actor'
import { localValues } from '../lib/storage'
import { useActor } from './session'

/** The settings of a user in this browser. */
export interface UserSettings {
  /** Home opens after the sign-in, instead of the screen that the user's scope has by default. */
  startsAtHome?: boolean
  /** Home does not show the first steps of a new platform. */
  hidesFirstSteps?: boolean
  /** The rows of tables are lower. */
  compactRows?: boolean
  /** Shortcuts of one character are on. Absent if the user has not chosen. */
  singleKeys?: boolean
}

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Reads the settings of all users. Anything else than an object in the storage counts as none. */
const readAll = (): Record<string, UserSettings | undefined> => {
  try {
    const stored: unknown = JSON.parse(localValues.userSettings.get() ?? '{}')
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, UserSettings>) : {}
  } catch {
    return {}
  }
}

export const readUserSettings = ({ user_sid = '' }: Actor): UserSettings => {
  const all = readAll()
  const settings = Object.hasOwn(all, user_sid) ? all[user_sid] : undefined
  return typeof settings === 'object' && settings !== null ? settings : {}
}

/**
 * Are shortcuts of one character on? By default they are, unless they were turned off in this browser when the setting
 * did not belong to a user yet.
 */
export const areSingleKeysChosen = ({ singleKeys }: UserSettings): boolean =>
  typeof singleKeys === 'boolean' ? singleKeys : localValues.singleKeys.get() !== 'off'

/** Does any user of this browser start at Home? Before the sign-in, nobody knows who will sign in. */
export const mayStartAtHome = (): boolean =>
  Object.values(readAll()).some((settings) => settings?.startsAtHome === true)

/** The settings of the signed-in user, and a function that changes them. */
export const useUserSettings = () => {
  const actor = useActor()
  useSyncExternalStore(subscribe, localValues.userSettings.get)
  const change = (changes: UserSettings) => {
    const settings = { ...readUserSettings(actor), ...changes }
    localValues.userSettings.set(JSON.stringify({ ...readAll(), [actor.user_sid ?? '']: settings }))
    for (const listener of listeners) listener()
  }
  return { settings: readUserSettings(actor), change }
}
