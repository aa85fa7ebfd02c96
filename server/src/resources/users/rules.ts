import { fullReach } from '@trunkline/contract/policy/can'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/user'
import type { userChangesSchema } from '@trunkline/contract/shapes/user'
import { isEmail } from '@trunkline/contract/session/email'
import type * as z from 'zod'
import type { WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { badRequest, forbidden } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import { hashPassword, verifyPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'
import { samePassword } from '../../shared/refusals'
import type { StoredUser } from './repository'
import { isViewOnly } from './public'

type Body = z.output<typeof userChangesSchema>

/** An update of `current` by `actor`. */
interface UserUpdate {
  current: WithOwner<StoredUser>
  body: Body
  actor: Actor
  isOwnUser: boolean
  clientIp: string
}

const invalidRequest = (reason: string, field?: string) => badRequest(`Invalid request: ${reason}`, field)

const isPresent = (value: unknown) => value !== undefined && value !== null && value !== ''

const updatableFields = [
  'name',
  'email',
  'initial_password',
  'old_password',
  'new_password',
  'is_active',
  'force_change',
  'is_view_only',
  'account_sid',
  'service_provider_sid',
] as const

/** Throws if the body changes nothing, or contains an activation code without an email address. */
const checkHasChanges = ({ body }: UserUpdate): void => {
  const hasCode = isPresent(body.email_activation_code)
  if (hasCode && !body.email) throw badRequest('email and email_activation_code both required', 'email')
  if (!updatableFields.some((name) => isPresent(body[name]))) throw badRequest('no updates requested')
}

/**
 * A new password requires the old one. So does `initial_password` if users change their own password: a stolen session must
 * not be enough to take over the user.
 */
const checkOldPassword = ({ body, isOwnUser }: UserUpdate): void => {
  const { old_password, new_password, initial_password } = body
  if (isOwnUser && initial_password && !old_password)
    throw badRequest(messages.ownUserRefusal.oldPassword, 'old_password')
  if (Boolean(old_password) !== Boolean(new_password || (isOwnUser && initial_password)))
    throw badRequest('new_password and old_password both required', old_password ? 'new_password' : 'old_password')
}

/** Password and name cannot change together. Users of external identity providers have no password. */
const checkPasswords = ({ current, body }: UserUpdate): void => {
  const { new_password, initial_password } = body
  if (new_password && body.name !== undefined)
    throw badRequest('can not change name and password simultaneously', 'name')
  if (new_password && initial_password)
    throw badRequest('initial_password and new_password can not be sent together', 'initial_password')
  if (current.provider !== 'local' && (new_password || initial_password))
    throw badRequest('can not change password when using oauth2', new_password ? 'new_password' : 'initial_password')
}

/**
 * Throws 400 for a malformed address. That of a user of an identity provider is the one that the provider has verified: the
 * codes that confirm a new sign-in method are sent to it.
 */
const checkEmail = ({ current, body, isOwnUser }: UserUpdate): void => {
  if (isOwnUser && current.provider !== 'local' && body.email !== undefined && body.email !== current.email)
    throw badRequest('can not change email when using oauth2', 'email')
  if (body.email !== undefined && body.email !== current.email && !isEmail(body.email))
    throw badRequest(messages.invalidEmail, 'email')
}

/** Throws if the user would leave its account or provider, which would give it more access. */
const checkNoPromotion = ({ current, body, actor }: UserUpdate): void => {
  for (const name of ['account_sid', 'service_provider_sid'] as const)
    if (body[name] === null && current[name] !== null) throw invalidRequest('user may not be promoted', name)
  if (actor.scope === 'account' && body.account_sid && body.account_sid !== current.account_sid)
    throw invalidRequest('user may not be promoted or moved to another account', 'account_sid')
  const provider = body.service_provider_sid
  if (actor.scope !== 'admin' && provider && provider !== current.owner.service_provider_sid)
    throw invalidRequest('user may not be promoted or moved to another service provider', 'service_provider_sid')
}

/** Throws if users would move, deactivate or restrict themselves, because they could not undo it. */
const checkOwnUserChange = (
  body: Body,
  { isMoved, isDeactivated, isViewOnlyChanged }: Record<'isMoved' | 'isDeactivated' | 'isViewOnlyChanged', boolean>,
) => {
  if (isMoved)
    throw badRequest(messages.ownUserRefusal.scope, body.account_sid ? 'account_sid' : 'service_provider_sid')
  if (isDeactivated) throw badRequest(messages.ownUserRefusal.active, 'is_active')
  if (isViewOnlyChanged) throw badRequest(messages.ownUserRefusal.viewOnly, 'is_view_only')
}

/** The new `force_change`: 0 after users changed their own password. Users cannot clear their own flag otherwise. */
const resolveForceChange = ({ body, isOwnUser }: UserUpdate, isNewPassword: boolean) => {
  if (body.new_password || (isOwnUser && isNewPassword)) return 0
  return isOwnUser && !body.force_change ? undefined : body.force_change
}

/** The owner after the update. The provider of a user in an account is always the provider of the account. */
const resolveOwner = async (
  { current, body, actor }: UserUpdate,
  { accounts, providers }: Pick<Services, 'accounts' | 'providers'>,
): Promise<Owner> => {
  const { account_sid, service_provider_sid } = body
  if (!account_sid && !service_provider_sid) return current.owner
  const accountSid = account_sid ?? current.account_sid
  const providerSid = service_provider_sid ?? current.owner.service_provider_sid
  if (!accountSid) {
    if (!providerSid || !(await providers.find(fullReach, providerSid)))
      throw invalidRequest('service_provider_sid does not exist', 'service_provider_sid')
    return { account_sid: null, service_provider_sid: providerSid }
  }
  const accountProviderSid = await accounts.providerOf(accountSid)
  if (!accountProviderSid) throw invalidRequest('account_sid does not exist', 'account_sid')
  if (providerSid && providerSid !== accountProviderSid)
    throw invalidRequest(
      'user may not be moved to another service provider',
      account_sid ? 'account_sid' : 'service_provider_sid',
    )
  const owner = { account_sid: accountSid, service_provider_sid: accountProviderSid }
  requirePermission('user', 'update', actor, owner)
  return owner
}

/** Returns a function that checks an update, and returns the columns to write and the consequences of the update. */
export const createUserUpdateResolver = ({
  accounts,
  providers,
  users,
  lockout,
  passwordRule,
  passwordCost,
}: Pick<Services, 'accounts' | 'providers' | 'users' | 'lockout' | 'passwordRule' | 'passwordCost'>) => {
  /** The hash of the new password, if the update sets one. */
  const hashNewPassword = async ({ current, body, isOwnUser, clientIp }: UserUpdate): Promise<string | undefined> => {
    const { old_password, new_password, initial_password } = body
    const password = new_password || initial_password
    if (!password) return undefined
    const field = new_password ? 'new_password' : 'initial_password'
    if (old_password && (new_password || isOwnUser)) {
      const verify = () => verifyPassword(current.hashed_password, old_password, passwordCost)
      if ((await lockout.attempt(current.user_sid, clientIp, verify)) !== 'correct') throw forbidden()
      await passwordRule.check(password, field)
      if (password === old_password) throw samePassword(field)
    } else await passwordRule.check(password, field)
    return hashPassword(password, passwordCost)
  }

  /** The new view-only permission. Undefined if it does not change. */
  const resolveViewOnly = async ({ current, body }: UserUpdate): Promise<boolean | undefined> => {
    if (body.is_view_only === undefined) return undefined
    const willBeViewOnly = Boolean(body.is_view_only)
    return willBeViewOnly === isViewOnly(await users.permissionsOf(current.user_sid)) ? undefined : willBeViewOnly
  }

  return async (update: UserUpdate) => {
    const { current, body } = update
    checkNoPromotion(update)
    checkOldPassword(update)
    checkPasswords(update)
    checkHasChanges(update)
    const owner = await resolveOwner(update, { accounts, providers })
    checkEmail(update)
    const viewOnly = await resolveViewOnly(update)
    const isMoved =
      owner.account_sid !== current.owner.account_sid ||
      owner.service_provider_sid !== current.owner.service_provider_sid
    const isDeactivated = current.is_active === 1 && body.is_active !== undefined && !body.is_active
    if (update.isOwnUser)
      checkOwnUserChange(body, { isMoved, isDeactivated, isViewOnlyChanged: viewOnly !== undefined })
    const hashed_password = await hashNewPassword(update)
    const columns: Row = {
      name: body.name,
      email: body.email,
      ...(isPresent(body.email_activation_code)
        ? { email_activation_code: body.email_activation_code, email_validated: 0 }
        : {}),
      is_active: body.is_active,
      force_change: resolveForceChange(update, hashed_password !== undefined),
      hashed_password,
      ...(owner === current.owner ? {} : owner),
    }
    return {
      columns,
      viewOnly,
      isNewPassword: hashed_password !== undefined,
      /** Whether the claims in existing session tokens no longer apply. */
      endsSessions: isMoved || isDeactivated || viewOnly !== undefined,
      /** Whether the user is no longer an active administrator after the update, if the user is one now. */
      losesAdminRole: isMoved || isDeactivated,
    }
  }
}
