import type { FastifyInstance } from 'fastify'
import { serverCapabilities, changePassword, login, logout } from '@trunkline/contract/resources/session'
import * as shapes from '@trunkline/contract/shapes/session'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, Problem } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { hashPassword, verifyPassword } from '../../secrets/password'
import { noPlatform } from '../../ports/live-platform'
import type { Services } from '../../services'
import { samePassword } from '../../shared/refusals'
import { isViewOnly, type StoredUser } from '../users/public'
import { createAuthenticator } from './authenticator'
import { sessionLink } from '../password-reset/public'
import { logSignIn } from './sign-in-log'
import { withTransaction } from '../../db/transaction'

const wrongOldPassword = () => badRequest('old_password is incorrect', 'old_password')

export const sessionRoutes = (app: FastifyInstance, services: Services): void => {
  const { store, users, sessions, lockout, emailChanges, outbox, resetLinks, passwordRule, passwordCost } = services
  const authenticator = createAuthenticator(services)
  const canAddEmail = async (user: StoredUser) =>
    outbox.enabled && user.provider === 'local' && (await emailChanges.isMissing(user))

  mountRoute(app, login, { body: shapes.login, response: shapes.loginResponse }, async ({ body, request }) => {
    const { username, password } = body
    if (!username || !password) throw new Problem(400, 'Bad Request')
    return logSignIn(request, async (setUser) => {
      await authenticator.checkNetwork(request.ip)
      const user = await users.findByName(username)
      setUser(user)
      await authenticator.checkPassword({ user, name: `name ${username}`, password, ip: request.ip })
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
  })

  mountRoute(app, logout, {}, async ({ actor, request }) => {
    if (!actor.session_sid) throw badRequest('an API key has no session to end')
    await sessions.close(actor.session_sid)
    logSecurityEvent(request, 'sign_out')
  })

  mountRoute(app, changePassword, { body: shapes.changePassword }, async ({ body, actor, request }) => {
    const user = actor.user_sid ? await users.find({ all: true }, actor.user_sid) : undefined
    if (!user) throw badRequest('an API key has no password to change')
    if (user.provider !== 'local') throw badRequest('user is using oauth authentication')
    const candidates = [body.old_password, sessionLink(body.old_password, actor.session_sid ?? '')]
    const validity = await Promise.all(candidates.map((candidate) => resetLinks.isValidFor(candidate, user)))
    const link = candidates.find((_, index) => validity[index])
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

  mountRoute(app, serverCapabilities, { response: shapes.serverCapabilities }, () => ({
    sort: true,
    bulk: true,
    import: true,
    routes: true,
    gateways: true,
    awsRoles: true,
    providerCache: true,
    sharedCache: services.cache.isShared,
    recordings: true,
    overview: true,
    overviewGroups: true,
    callSearch: true,
    alertGroups: true,
    live: services.livePlatform !== noPlatform,
    keyExpiry: true,
    keyName: true,
    webhookTest: true,
    captures: services.captures.list !== undefined,
  }))
}
