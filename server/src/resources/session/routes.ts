import type { FastifyInstance } from 'fastify'
import type { Scope } from '@trunkline/contract/policy/actor'
import { abilities, changePassword, login, logout } from '@trunkline/contract/resources/session'
import * as shapes from '@trunkline/contract/shapes/session'
import { bind } from '../../http/bind'
import { badRequest, forbidden, Problem } from '../../http/problem'
import { hashPassword, verifyPassword } from '../../secrets/password'
import type { Services } from '../../services'
import { isViewOnly, type StoredUser } from '../users/service'

const tooMany = (rest: string) =>
  new Problem(403, { error: `Maximum login attempts reached. Please try again ${rest}` })

export const sessionRoutes = (app: FastifyInstance, services: Services): void => {
  const { users, accounts, providers, sessions, lockout, passwordRule, passwordCost } = services

  const standing = async (user: StoredUser) => {
    const account = user.account_sid ? await accounts.find({ all: true }, user.account_sid) : undefined
    // An account's provider is the one it has now, whatever the user's own row says.
    const provider_sid = account?.service_provider_sid ?? user.service_provider_sid
    const provider = provider_sid ? await providers.find({ all: true }, provider_sid) : undefined
    const scope: Scope = account ? 'account' : provider ? 'service_provider' : 'admin'
    return {
      active: user.is_active === 1 && (account === undefined || account.is_active === 1),
      tenancy: {
        scope: scope,
        ...(provider
          ? { service_provider_sid: provider.service_provider_sid, service_provider_name: provider.name }
          : {}),
        ...(account ? { account_sid: account.account_sid, account_name: account.name } : {}),
      },
    }
  }

  const checkPassword = async (user: StoredUser | undefined, password: string) => {
    if (user && (await lockout.shut(user.user_sid))) throw tooMany('later or reset your password.')
    const local = user?.provider === 'local' ? user : undefined
    // The hash is computed for unknown names too, so that the time of the answer tells nothing.
    if (await verifyPassword(local?.hashed_password, password, passwordCost)) return
    if (local && (await lockout.failed(local.user_sid))) throw tooMany(`in ${lockout.seconds} seconds.`)
    throw forbidden()
  }

  bind(app, login, { body: shapes.login, answer: shapes.loggedIn }, async ({ body }) => {
    const { username, password } = body
    if (!username || !password) throw new Problem(400, 'Bad Request')
    const user = await users.byName(username)
    await checkPassword(user, password)
    if (!user) throw forbidden()
    const { active, tenancy } = await standing(user)
    if (!active) throw forbidden()
    await lockout.passed(user.user_sid)
    const permissions = await users.permissionsOf(user.user_sid)
    const is_view_only = isViewOnly(permissions)
    const token = await sessions.open(user.user_sid, { ...tenancy, permissions, is_view_only, name: username })
    return { token, user_sid: user.user_sid, force_change: user.force_change === 1, permissions, ...tenancy }
  })

  bind(app, logout, {}, async ({ actor }) => {
    if (!actor.session_sid) throw badRequest('an API key has no session to end')
    await sessions.close(actor.session_sid)
  })

  bind(app, changePassword, { body: shapes.changePassword }, async ({ body, actor }) => {
    const user = actor.user_sid ? await users.find({ all: true }, actor.user_sid) : undefined
    if (!user) throw badRequest('an API key has no password to change')
    if (user.provider !== 'local') throw badRequest('user is using oauth authentication')
    if (!(await verifyPassword(user.hashed_password, body.old_password, passwordCost)))
      throw badRequest('old_password is incorrect', 'old_password')
    await passwordRule.check(body.new_password, 'new_password')
    const hashed_password = await hashPassword(body.new_password, passwordCost)
    await users.change(user.user_sid, { hashed_password, force_change: 0 })
    await sessions.closeAll(user.user_sid)
  })

  bind(app, abilities, { answer: shapes.abilities }, () => ({ sort: true, bulk: true }))
}
