import { useSyncExternalStore } from 'react'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { logout } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/session'
import { request } from '../lib/client'
import { clearStorage, kept, leaveFlash, watchToken } from '../lib/storage'
import { may } from './may'
import { decodeToken, type Session } from './token'

const watchers = new Set<() => void>()
let read: { token: string | null; session: Session | undefined } = { token: null, session: undefined }

/** The last session ended because somebody signed out here. */
let left = false

/** Who is signed in. The same token gives the same object. */
export const currentSession = (): Session | undefined => {
  const token = kept.token.get()
  if (token !== read.token) {
    read = { token, session: decodeToken(token) }
    // also one that was begun in another tab
    if (read.session) left = false
  }
  return read.session
}

const tellAll = () => {
  for (const tell of watchers) tell()
}

const watch = (tell: () => void) => {
  watchers.add(tell)
  const deafen = watchToken(tell)
  return () => {
    watchers.delete(tell)
    deafen()
  }
}

/** A session is over that nobody here wanted to end. */
export const endedUnasked = () => !currentSession() && !left

/** Keeps the token of a sign-in. False when it says nothing usable. */
export const beginSession = (token: string): boolean => {
  if (!decodeToken(token)) return false
  kept.token.set(token)
  tellAll()
  return true
}

/** Forgets everything of this session and leaves a message for the sign-in page. */
export const endSession = (flash?: string) => {
  clearStorage()
  if (flash) leaveFlash(flash)
  tellAll()
}

/** Ends the session of somebody who wanted it: who has deleted the own user or account is out already. */
export const leaveSession = () => {
  left = true
  endSession(messages.loggedOut)
}

/** Tells the server, then forgets everything here, whatever it answered. */
export const signOut = async () => {
  await request(logout, { isBackground: true }).catch(() => undefined)
  leaveSession()
}

export const useSession = (): Session | undefined => useSyncExternalStore(watch, currentSession, currentSession)

/** Who is signed in, on a page that nobody sees without. */
export const useActor = (): Actor => {
  const session = useSession()
  return session?.actor ?? nobody
}

/** Stands in while the last page of an ended session is still drawn: may do nothing, owns nothing. */
const nobody: Actor = { scope: 'account', service_provider_sid: 'nobody', account_sid: 'nobody', viewOnly: true }

export type Can = (action: Action, kind: Kind, owner?: Owner) => boolean

/** Asks for the person who is signed in. Lists and pages are asked without an owner. */
export const useCan = (): Can => {
  const actor = useActor()
  return (action, kind, owner) => may(actor, action, kind, owner)
}
