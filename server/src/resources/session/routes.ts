import type { FastifyInstance } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import { serverCapabilities, changePassword, login, logout } from '@trunkline/contract/resources/session'
import * as shapes from '@trunkline/contract/shapes/session'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, Problem } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { hashPassword, verifyPassword } from '../../secrets/password'
import { noPlatform } from '../../ports/live-platform'
import type { Services } from '../../composition/services'
import { samePassword } from '../../shared/refusals'
import { isViewOnly, type StoredUser } from '../users/public'
import { findUnconfirmedSignIn } from '../registration/public'
import { createAuthenticator, type AuthenticatorServices, type PasswordAttempt } from './authenticator'
import { buildSessionLink } from '../password-reset/public'
import { LockedOutProblem, logSignIn } from './sign-in-log'
import { withTransaction } from '../../db/transaction'

const wrongOldPassword = () => badRequest('old_password is incorrect', 'old_password')

type SignInServices = AuthenticatorServices &
  Pick<Services, 'emailChanges' | 'outbox' | 'registrations' | 'hostedEdition'>
type PasswordServices = Pick<
  Services,
  'store' | 'users' | 'sessions' | 'lockout' | 'emailChanges' | 'resetLinks' | 'passwordRule' | 'passwordCost'
>
type CapabilityServices = Pick<Services, 'cache' | 'livePlatform' | 'captures' | 'billing'>

/** Sign-in, sign-out, password changes and the capabilities of this server. */
export const sessionRoutes = (
  app: FastifyInstance,
  services: SignInServices & PasswordServices & CapabilityServices,
): void => {
  signInRoutes(app, services)
  passwordRoutes(app, services)
  capabilityRoutes(app, services)
}

const signInRoutes = (app: FastifyInstance, services: SignInServices): void => {
  const { users, sessions, emailChanges, outbox, hostedEdition } = services
  const authenticator = createAuthenticator(services)
  const canAddEmail = async (user: StoredUser) =>
    outbox.isEnabled && user.provider === 'local' && (await emailChanges.hasNoEmail(user))

  /** In the hosted edition, usernames are email addresses in lower case, which people also enter in capitals. */
  const findUser = async (username: string): Promise<StoredUser | undefined> =>
    (await users.findByName(username)) ??
    (hostedEdition && username.includes('@') ? await users.findByName(username.trim().toLowerCase()) : undefined)

  /** If the password belongs to a registration, the response leads to the confirmation of its email address. */
  const checkPassword = async (attempt: PasswordAttempt, username: string): Promise<void> => {
    try {
      await authenticator.checkPassword(attempt)
    } catch (error) {
      if (error instanceof LockedOutProblem || !(error instanceof Problem)) throw error
      throw (await findUnconfirmedSignIn(services, { username, password: attempt.password })) ?? error
    }
  }

  mountRoute(
    app,
    login,
    { body: shapes.loginSchema, response: shapes.loginResponseSchema },
    async ({ body, request }) => {
      const { username, password } = body
      if (!username || !password) throw new Problem(400, 'Bad Request')
      return logSignIn(request, async (setUser) => {
        await authenticator.checkNetwork(request.ip)
        const user = await findUser(username)
        setUser(user)
        await checkPassword({ user, name: `name ${username}`, password, ip: request.ip }, username)
        if (!user) throw forbidden()
        const { token, permissions, tenancy } = await authenticator.openSession(user)
        const add_email = !isViewOnly(permissions) && (await canAddEmail(user))
        return {
          token,
          user_sid: user.user_sid,
          force_change: user.force_change === 1,
          permissions,
          ...tenancy,
          ...(add_email ? { add_email } : {}),
        }
      })
    },
  )

  mountRoute(app, logout, {}, async ({ actor, request }) => {
    if (!actor.session_sid) throw badRequest('an API key has no session to end')
    await sessions.close(actor.session_sid)
    logSecurityEvent(request, 'sign_out')
  })
}

const passwordRoutes = (
  app: FastifyInstance,
  { store, users, sessions, lockout, emailChanges, resetLinks, passwordRule, passwordCost }: PasswordServices,
): void => {
  mountRoute(app, changePassword, { body: shapes.changePasswordSchema }, async ({ body, actor, request }) => {
    const user = actor.user_sid ? await users.find(fullReach, actor.user_sid) : undefined
    if (!user) throw badRequest('an API key has no password to change')
    if (user.provider !== 'local') throw badRequest('user is using oauth authentication')
    // Instead of the old password, a client may send a reset link, also one that has opened this session.
    const linkCandidates = [body.old_password, buildSessionLink(body.old_password, actor.session_sid ?? '')]
    const areValid = await Promise.all(linkCandidates.map((candidate) => resetLinks.isValidFor(candidate, user)))
    const link = linkCandidates.find((_, index) => areValid[index])
    if (!link) {
      const verify = () => verifyPassword(user.hashed_password, body.old_password, passwordCost)
      if ((await lockout.attempt(user.user_sid, request.ip, verify)) !== 'correct') throw wrongOldPassword()
    }
    await passwordRule.check(body.new_password, 'new_password')
    if (await verifyPassword(user.hashed_password, body.new_password, passwordCost)) throw samePassword('new_password')
    const hashed_password = await hashPassword(body.new_password, passwordCost)
    await withTransaction(store.database.db, async (tx) => {
      // Of two parallel requests with the same link, only one succeeds.
      if (link && !(await resetLinks.consume(link, tx))) throw wrongOldPassword()
      if (link) await emailChanges.revert(user, tx)
      await users.update(user.user_sid, { hashed_password, force_change: 0 }, tx)
      await sessions.closeAll(user.user_sid, tx)
      await lockout.reset(user.user_sid, tx)
    })
    logSecurityEvent(request, 'password_changed', { target_sid: user.user_sid })
  })
}

const capabilityRoutes = (
  app: FastifyInstance,
  { cache, livePlatform, captures, billing }: CapabilityServices,
): void => {
  mountRoute(app, serverCapabilities, { response: shapes.serverCapabilitiesSchema }, () => ({
    sort: true,
    bulk: true,
    import: true,
    routes: true,
    gateways: true,
    awsRoles: true,
    providerCache: true,
    sharedCache: cache.isShared,
    recordings: true,
    overview: true,
    overviewGroups: true,
    callSearch: true,
    alertGroups: true,
    live: livePlatform !== noPlatform,
    keyExpiry: true,
    keyName: true,
    webhookTest: true,
    captures: captures.listDialogs !== undefined,
    billing: billing !== undefined,
    home: true,
    systemHealth: true,
    dependents: true,
    savedViews: true,
    recordCounts: true,
    numberFilters: true,
  }))
}
