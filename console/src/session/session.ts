import { useSyncExternalStore } from 'react'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { logout } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/session'
import { request } from '../lib/client'
import { clearStorage, localValues, setFlash, subscribeToToken, type Flash } from '../lib/storage'
import { hasPermission } from './permission'
import { decodeToken, type Session } from './token'

const listeners = new Set<() => void>()
let cachedSession: { token: string | null; session: Session | undefined } = { token: null, session: undefined }

/** Did the last session end because the user signed out in this tab? */
let hasSignedOut = false

/** The current session. Returns the same object for the same token. */
export const getCurrentSession = (): Session | undefined => {
  const token = localValues.token.get()
  if (token !== cachedSession.token) {
    cachedSession = { token, session: decodeToken(token) }
    // also for a session that started in another tab
    if (cachedSession.session) hasSignedOut = false
  }
  return cachedSession.session
}

const notifyListeners = () => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  const unsubscribeFromToken = subscribeToToken(listener)
  return () => {
    listeners.delete(listener)
    unsubscribeFromToken()
  }
}

/** Did the session end without a sign-out in this tab? */
export const hasEndedWithoutSignOut = () => !getCurrentSession() && !hasSignedOut

/** Stores the token from a sign-in. Returns false if the token is unusable. */
export const startSession = (token: string): boolean => {
  if (!decodeToken(token)) return false
  localValues.token.set(token)
  notifyListeners()
  return true
}

/** Clears all data of this session and leaves a message for the sign-in screen. */
export const endSession = (flash?: string, kind?: Flash['kind']) => {
  clearStorage()
  if (flash) setFlash(flash, kind)
  notifyListeners()
}

/**
 * Ends the session in this browser after a sign-out, without a request. Also used after users delete their own user or
 * account: the server has already ended their sessions.
 */
export const endSessionLocally = () => {
  hasSignedOut = true
  endSession(messages.loggedOut, 'ok')
}

/** Notifies the server, then ends the session regardless of the response. */
export const signOut = async () => {
  await request(logout, { keepsSession: true }).catch(() => undefined)
  endSessionLocally()
}

export const useSession = (): Session | undefined =>
  useSyncExternalStore(subscribe, getCurrentSession, getCurrentSession)

/** The signed-in user, for screens that require one. */
export const useActor = (): Actor => {
  const session = useSession()
  return session?.actor ?? placeholderActor
}

/** Placeholder while the last screen of an ended session still renders: no permissions, no records. */
const placeholderActor: Actor = {
  scope: 'account',
  service_provider_sid: 'nobody',
  account_sid: 'nobody',
  viewOnly: true,
}

export type Can = (action: Action, kind: Kind, owner?: Owner) => boolean

/** Checks permissions of the signed-in user. Checks for lists and screens omit the owner. */
export const useCan = (): Can => {
  const actor = useActor()
  return (action, kind, owner) => hasPermission(actor, action, kind, owner)
}
