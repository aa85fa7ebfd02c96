import type { FastifyInstance } from 'fastify'
import { confirmEmail } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/email-change'
import * as shapes from '@trunkline/contract/shapes/session'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden } from '../../http/problem'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'

/**
 * Confirms a changed email address. Requires the password, because the link was sent to an address that anyone could
 * have entered.
 */
export const emailChangeRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'emailChanges' | 'lockout' | 'outbox' | 'passwordCost'>,
): void => {
  const { emailChanges, lockout, outbox, passwordCost } = services
  // When the server stops, mails that are already scheduled are still sent.
  app.addHook('onClose', () => outbox.drain())
  // Without a mail server no link is ever sent.
  if (!outbox.isEnabled) return

  mountRoute(app, confirmEmail, { body: shapes.confirmEmailSchema }, async ({ body: { link, password }, request }) => {
    const user = await emailChanges.findUserByLink(link)
    if (!user) throw forbidden()
    const verify = () => verifyPassword(user.hashed_password, password, passwordCost)
    const result = await lockout.attempt(user.user_sid, request.ip, verify)
    if (result !== 'correct') throw badRequest(messages.wrongPassword, 'password')
    if (!(await emailChanges.confirm(link, user))) throw forbidden()
  })
}
