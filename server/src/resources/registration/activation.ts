import type { FastifyInstance } from 'fastify'
import { messages } from '@trunkline/contract/messages/registration'
import type { Actor } from '@trunkline/contract/policy/actor'
import { activate, sendActivationCode } from '@trunkline/contract/resources/registration'
import * as shapes from '@trunkline/contract/shapes/registration'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { badRequest } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import type { EmailMessage } from '../../ports/mail'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import { createRegisteredAccount, type CreationServices } from './account-creation'
import type { CodeMailer } from './code-mailer'
import type { Registration } from './repository'
import { createSignInChangeProof, type SignInChangeServices } from './sign-in-change'
import { replaceAccountUsers, sendNotices, type ReplacementServices } from './user-replacement'

/** How many codes one client network may enter. */
const codeLimit = { name: 'activation codes', max: 50, seconds: 3600 }

const invalidCode = () => badRequest(messages.invalidCode, 'code')

/** The SID of the actor, if the actor must confirm an address and the request names the actor as its user. */
const findOwnRegistrantSid = (actor: Actor, user_sid: string | null | undefined): string | undefined =>
  actor.mustConfirmEmail && actor.user_sid === user_sid ? actor.user_sid : undefined

export type ActivationServices = CreationServices &
  ReplacementServices &
  SignInChangeServices &
  Pick<Services, 'store' | 'registrations' | 'attemptCounts'>

/**
 * Creates the account of a registration whose address is confirmed, or replaces the users of an existing one. Returns the
 * notices to them.
 */
const completeRegistration = (
  services: ActivationServices,
  registration: Registration,
  actor: Actor,
): Promise<EmailMessage[]> => {
  const { store, registrations, sessions } = services
  const { user_sid, account_sid, service_provider_sid, email, hashed_password, invite_code } = registration
  const user = { user_sid, account_sid, service_provider_sid, email, hashed_password, provider: 'local' }
  const replaceUsers = async (tx: Connection): Promise<EmailMessage[]> => {
    if (!(await registrations.isRequestingSessionOpen(registration, tx))) throw invalidCode()
    const notices = await replaceAccountUsers(tx, services, user)
    if (!notices) throw invalidCode()
    return notices
  }
  return withTransaction(store.database.db, async (tx) => {
    if (!(await registrations.complete(registration, tx))) throw invalidCode()
    const notices = registration.replaces_users ? await replaceUsers(tx) : []
    if (!registration.replaces_users) await createRegisteredAccount(tx, services, { ...user, inviteCode: invite_code })
    await sessions.closeAllExcept(user_sid, actor.session_sid, tx)
    return notices
  })
}

/** The routes that confirm an email address with a code. */
export const activationRoutes = (app: FastifyInstance, services: ActivationServices, codeMailer: CodeMailer): void => {
  const { registrations, attemptCounts } = services
  const signInChangeProof = createSignInChangeProof(services)

  mountRoute(
    app,
    sendActivationCode,
    { body: shapes.activationCodeRequestSchema },
    async ({ body: { type, user_sid, value }, actor, request }) => {
      // Codes are sent by email only.
      if (type !== 'email') throw badRequest(messages.invalidActivationType(String(type)), 'type')
      if (actor.user_sid === user_sid && (await signInChangeProof.sendCode(actor, request))) return
      const registration = await registrations.find(findOwnRegistrantSid(actor, user_sid) ?? '')
      if (!registration) throw badRequest('invalid user_sid', 'user_sid')
      const { email, replaces_users, account_sid } = registration
      if (value && value.trim().toLowerCase() !== email) throw badRequest(messages.invalidEmail, 'value')
      refuseWhileWaiting(registrations.getResendDelay(registration), messages.resendTooSoon)
      refuseWhileWaiting(await codeMailer.countMail(email))
      const { code, send } = await codeMailer.prepare({
        email,
        replacedAccountSid: replaces_users ? account_sid : undefined,
      })
      if (await registrations.replaceCode(registration, code)) send(request.log)
    },
  )

  mountRoute(app, activate, { body: shapes.activationSchema }, async ({ params, body, actor, request }) => {
    const user_sid = findOwnRegistrantSid(actor, body.user_sid)
    if (!user_sid || (body.type ?? 'email') !== 'email') throw invalidCode()
    refuseWhileWaiting(await attemptCounts.addForNetwork(codeLimit, request.ip))
    const registration = await registrations.findByCode(user_sid, params.code.replace(/[\s-]/g, ''))
    if (!registration) {
      logSecurityEvent(request, 'activation_failed')
      throw invalidCode()
    }
    const notices = await completeRegistration(services, registration, actor)
    sendNotices(services, notices, request.log)
    logSecurityEvent(request, 'account_registered')
  })
}
