import { randomUUID } from 'node:crypto'
import { messages } from '@trunkline/contract/messages/registration'
import { fullReach } from '@trunkline/contract/policy/can'
import type { RegistrationResponse } from '@trunkline/contract/shapes/registration'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { badRequest, forbidden, Problem, unprocessable } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import type { Identity } from '../../ports/identity-provider'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import { isAsciiMailAddress } from '../../shared/mail-address'
import { inviteCodeLimit } from '../invite-codes/public'
import { createAuthenticator, type AuthenticatorServices } from '../session/public'
import { isViewOnly, type StoredUser } from '../users/public'
import { createRegisteredAccount, insertRegisteredUser, type CreationServices } from './account-creation'
import type { RegistrationRequest } from './local'
import { createIdentityReader, type OAuthCodeServices } from './oauth-code'
import { findRootDomain } from './provider'
import { createSignInChangeProof, findReplacedAccount, type SignInChangeServices } from './sign-in-change'
import { releaseUnconfirmedAddress } from './unconfirmed-addresses'
import { prepareReplacementNotice, removeReplacedUser, sendNotices, type ReplacementServices } from './user-replacement'

export type OAuthRegistrationServices = AuthenticatorServices &
  CreationServices &
  ReplacementServices &
  OAuthCodeServices &
  SignInChangeServices &
  Pick<Services, 'store' | 'registrations' | 'identities'>

/** The path of the console from which nobody registers. */
const signInPath = '/sign-in'

/** The address that the identity provider has verified. */
const requireEmail = ({ email }: Identity): string => {
  if (!email || !isAsciiMailAddress(email)) throw forbidden(messages.unverifiedIdentity)
  return email
}

const toPicture = (provider: string, { picture }: Identity) => {
  if (!picture) return {}
  return provider === 'github' ? { avatar_url: picture } : { picture }
}

/** Opens sessions of users who have proved their identity at an identity provider. */
const createIdentitySignIn = (services: OAuthRegistrationServices) => {
  const { store, users, accounts, sessions, identities } = services
  const authenticator = createAuthenticator(services)

  return async (
    user: StoredUser,
    identity: Identity,
    { request }: Pick<RegistrationRequest, 'request'>,
  ): Promise<RegistrationResponse> => {
    const target = { target_sid: user.user_sid }
    const { isActive, tenancy } = await authenticator.findMembership(user)
    if (!isActive || !tenancy.account_sid) {
      logSecurityEvent(request, 'sign_in_failed', { ...target, reason: 'inactive user' })
      throw forbidden(messages.inactiveUser)
    }
    await withTransaction(store.database.db, async (tx) => {
      await identities.store(user.user_sid, user.provider, identity, tx)
      if (user.provider_userid !== identity.userid)
        await users.update(user.user_sid, { provider_userid: identity.userid }, tx)
    })
    const account = await accounts.find(fullReach, tenancy.account_sid)
    const permissions = await users.permissionsOf(user.user_sid)
    const claims = { email: user.email, name: user.name, permissions, is_view_only: isViewOnly(permissions) }
    const jwt = await sessions.open(user.user_sid, { ...tenancy, ...claims })
    logSecurityEvent(request, 'sign_in', target)
    return {
      jwt,
      user_sid: user.user_sid,
      account_sid: tenancy.account_sid,
      name: user.name,
      email: user.email,
      provider: user.provider,
      provider_userid: identity.userid,
      ...toPicture(user.provider, identity),
      pristine: false,
      // Users of an account whose trial has ended still sign in, to upgrade.
      is_active: account?.is_active === 1,
      email_validated: user.email_validated === 1,
      phone_validated: user.phone_validated === 1,
      tutorial_completion: 0,
      scope: user.scope,
    }
  }
}

/** Registers users of identity providers, or replaces the way in which an existing user signs in. */
const createIdentityRegistration = (services: OAuthRegistrationServices) => {
  const { store, users, accounts, registrations, attemptCounts, hostedEdition } = services

  /** Throws 400 if the address belongs to a user who stays. Call it in the transaction that inserts the user. */
  const checkEmail = async (tx: Connection, email: string, replacedUserSid?: string): Promise<void> => {
    await users.lockUsers(tx)
    await releaseUnconfirmedAddress(tx, services, email)
    if (await users.isDuplicate('email', email, replacedUserSid, tx))
      throw badRequest(messages.emailOfOtherUser(email), 'email')
  }

  const findInserted = async (user_sid: string): Promise<StoredUser> => {
    const user = await users.find(fullReach, user_sid)
    if (!user) throw forbidden(messages.inactiveUser)
    return user
  }

  return {
    async registerAccount(provider: string, identity: Identity, input: RegistrationRequest): Promise<StoredUser> {
      const { body, service_provider_sid, request } = input
      const email = requireEmail(identity)
      if (hostedEdition?.requiresInviteCode)
        refuseWhileWaiting(await attemptCounts.addForNetwork(inviteCodeLimit, request.ip))
      const user = {
        user_sid: randomUUID(),
        account_sid: randomUUID(),
        service_provider_sid,
        email,
        provider,
        provider_userid: identity.userid,
      }
      await withTransaction(store.database.db, async (tx) => {
        await checkEmail(tx, email)
        await createRegisteredAccount(tx, services, { ...user, inviteCode: body.inviteCode ?? null })
        // The identity provider has verified the address. Whoever else entered it cannot confirm it any more.
        await registrations.discardByEmail(email, tx)
      })
      logSecurityEvent(request, 'account_registered', { target_sid: user.user_sid })
      return findInserted(user.user_sid)
    },

    /** Replaces the user of the request by one who signs in with the identity. Other users of the account stay. */
    async replaceUser(
      provider: string,
      identity: Identity,
      { actor, request }: RegistrationRequest,
      account_sid: string,
    ): Promise<StoredUser> {
      const email = requireEmail(identity)
      const user_sid = randomUUID()
      const replacedUserSid = actor!.user_sid!
      const notices = await withTransaction(store.database.db, async (tx) => {
        await checkEmail(tx, email, replacedUserSid)
        const account = await accounts.find(fullReach, account_sid, tx)
        const replacedUser = await users.find(fullReach, replacedUserSid, tx)
        // A parallel request may have removed them since the request was authenticated.
        if (!account || replacedUser?.is_active !== 1) throw forbidden(messages.inactiveUser)
        const notice = await prepareReplacementNotice(tx, services, replacedUser, { email, provider })
        await removeReplacedUser(tx, services, replacedUserSid)
        const { service_provider_sid } = account
        const { userid: provider_userid } = identity
        const columns = { user_sid, account_sid, service_provider_sid, email, provider, provider_userid }
        await insertRegisteredUser(tx, services, columns)
        await registrations.discardByEmail(email, tx)
        return notice
      })
      sendNotices(services, notices, request.log)
      logSecurityEvent(request, 'sign_in_changed', { target_sid: user_sid, target_account_sid: account_sid })
      return findInserted(user_sid)
    },
  }
}

/**
 * Returns a function that signs in or registers a user with the code of an identity provider. Users are found by their
 * identity, never by an address alone that a user with a password has.
 */
export const createOAuthRegistration = (services: OAuthRegistrationServices, options: { publicUrl: string }) => {
  const { identities } = services
  const readIdentity = createIdentityReader(services, options)
  const signIn = createIdentitySignIn(services)
  const registration = createIdentityRegistration(services)
  const signInChangeProof = createSignInChangeProof(services)

  return async (provider: string, input: RegistrationRequest): Promise<RegistrationResponse> => {
    const isFromSignInPage = input.body.locationBeforeAuth === signInPath
    // A token that the browser still has must not turn a sign-in into a change of its user.
    const replacedAccountSid = isFromSignInPage ? undefined : findReplacedAccount(input.actor)
    // Before the exchange, so that a missing proof does not use up the code of the identity provider.
    if (input.actor && replacedAccountSid) await signInChangeProof.check(input.actor, input.body, input.request)
    const identity = await readIdentity(input.body, provider, input.request)
    const user = await identities.findUser(provider, identity)
    if (replacedAccountSid) {
      if (user && user.user_sid !== input.actor?.user_sid)
        throw unprocessable(messages.identityOfOtherUser, 'oauth2_code')
      return signIn(
        user ?? (await registration.replaceUser(provider, identity, input, replacedAccountSid)),
        identity,
        input,
      )
    }
    if (user) return signIn(user, identity, input)
    if (isFromSignInPage) throw new Problem(404, { msg: messages.unknownUser })
    const root_domain = await findRootDomain(services, input.service_provider_sid)
    const response = await signIn(await registration.registerAccount(provider, identity, input), identity, input)
    return { ...response, pristine: true, root_domain }
  }
}
