import type { FastifyInstance } from 'fastify'
import { confirmEmail } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/email-change'
import * as shapes from '@trunkline/contract/shapes/session'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden } from '../../http/problem'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../services'

/**
 * Confirms a changed email address. Requires the password, because the link was sent to an address that anyone could
 * have entered.
 */
export const emailRoutes = (app: FastifyInstance, services: Services): void => {
  const { emailChanges, lockout, outbox, passwordCost } = services
  app.addHook('onClose', () => outbox.drain())
  if (!outbox.enabled) return

  mountRoute(app, confirmEmail, { body: shapes.confirmEmail }, async ({ body: { link, password }, request }) => {
    const user = await emailChanges.findUser(link)
    if (!user) throw forbidden()
    const verify = () => verifyPassword(user.hashed_password, password, passwordCost)
    const result = await lockout.attempt(user.user_sid, request.ip, verify)
    if (result !== 'correct') throw badRequest(messages.wrongPassword, 'password')
    if (!(await emailChanges.confirm(link, user))) throw forbidden()
  })
}
