import type { FastifyInstance } from 'fastify'
import { abilities, changePassword, login, logout } from '@trunkline/contract/resources/session'
import * as shapes from '@trunkline/contract/shapes/session'
import { bind } from '../../http/bind'
import { badRequest, forbidden, Problem } from '../../http/problem'
import { hashPassword, verifyPassword } from '../../secrets/password'
import { noPlatform } from '../../ports/live-platform'
import type { Services } from '../../services'
import { entrance } from './entrance'

const wrongOld = () => badRequest('old_password is incorrect', 'old_password')

export const sessionRoutes = (app: FastifyInstance, services: Services): void => {
  const { store, users, sessions, lockout, resetLinks, passwordRule, passwordCost } = services
  const door = entrance(services)

  bind(app, login, { body: shapes.login, answer: shapes.loggedIn }, async ({ body }) => {
    const { username, password } = body
    if (!username || !password) throw new Problem(400, 'Bad Request')
    const user = await users.byName(username)
    await door.checkPassword(user, password)
    if (!user) throw forbidden()
    const { token, permissions, tenancy } = await door.admit(user)
    await lockout.passed(user.user_sid)
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
    const link = (await resetLinks.fits(body.old_password, user)) ? body.old_password : undefined
    if (!link && !(await verifyPassword(user.hashed_password, body.old_password, passwordCost))) throw wrongOld()
    await passwordRule.check(body.new_password, 'new_password')
    const hashed_password = await hashPassword(body.new_password, passwordCost)
    await store.database.db.transaction().execute(async (tx) => {
      // Of two who use a link at once, one comes too late.
      if (link && !(await resetLinks.consume(link, tx))) throw wrongOld()
      await users.change(user.user_sid, { hashed_password, force_change: 0 }, tx)
      await sessions.closeAll(user.user_sid, tx)
      await lockout.passed(user.user_sid, tx)
    })
  })

  bind(app, abilities, { answer: shapes.abilities }, () => ({
    sort: true,
    bulk: true,
    import: true,
    routes: true,
    gateways: true,
    awsRoles: true,
    providerCache: true,
    recordings: true,
    overview: true,
    live: services.live !== noPlatform,
  }))
}
