import type { Actor } from '@trunkline/contract/policy/actor'
import { currentUser } from '@trunkline/contract/resources/session'
import type { CurrentUser } from '@trunkline/contract/shapes/session'
import { request } from '../lib/client'
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { localValues } from '../lib/storage'
import { endSession } from './session'
import { readUserSettings } from './user-settings'

/**
 * The first screen of a user: by default, account users get their account, and everyone else the list of accounts.
 * Users may choose Home instead.
 */
export const getLandingPath = (actor: Actor): string => {
  if (readUserSettings(actor).startsAtHome === true) return paths.home
  return actor.scope === 'account' ? paths.accounts.edit(actor.account_sid) : paths.accounts.list
}

/** Whether a v1 server let a user in who has not confirmed the e-mail address. Our server refuses to. */
const isUnconfirmed = ({ user, account }: CurrentUser) =>
  user.provider === 'local' && !user.email_validated && !account.is_active

/**
 * Returns the path to open after sign-in. In the hosted edition, an account without a SIP realm has not completed its
 * registration and continues there. A session that cannot be used before the e-mail address is confirmed becomes a
 * registration.
 */
export const prepareLandingPath = async (actor: Actor): Promise<string> => {
  const landingPath = getLandingPath(actor)
  if (!getFeatureFlags().hosted || actor.scope !== 'account' || actor.viewOnly) return landingPath
  // If this fails, the account's screen shows the reason.
  const me = await request(currentUser, { isBackground: true }).catch(() => undefined)
  if (!me || me.account.sip_realm) return landingPath
  const jwt = localValues.token.get()
  if (!jwt || !isUnconfirmed(me)) return paths.chooseSubdomain
  endSession()
  const { storeRegistration } = await import('./registration')
  storeRegistration({ jwt, user_sid: me.user.user_sid, email: me.user.email })
  return paths.verifyEmail
}
