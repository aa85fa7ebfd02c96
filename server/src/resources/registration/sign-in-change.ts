import type { FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { messages as sessionMessages } from '@trunkline/contract/messages/session'
import { messages } from '@trunkline/contract/messages/registration'
import type { Actor } from '@trunkline/contract/policy/actor'
import { fullReach } from '@trunkline/contract/policy/can'
import type { registrationSchema } from '@trunkline/contract/shapes/registration'
import { badRequest, forbidden } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import { buildSignInCodeMail } from '../../shared/user-mails'
import type { StoredUser } from '../users/public'
import { codeLifetimeMinutes, generateCode } from './mailed-codes'

/** What a request to register contains to prove that the user of the session sent it. */
type SubmittedProof = Pick<z.output<typeof registrationSchema>, 'old_password' | 'confirmation_code'>

/** How many codes one user gets. */
const codeLimit = { name: 'sign-in codes', max: 5, seconds: 3600 }

export type SignInChangeServices = Pick<
  Services,
  'users' | 'lockout' | 'passwordCost' | 'signInCodes' | 'emailChanges' | 'outbox' | 'attemptCounts'
>

/**
 * The account whose user changes the way to sign in; undefined for a new account. Throws 403 for users who may change
 * nothing.
 */
export const findReplacedAccount = (actor: Actor | undefined): string | undefined => {
  if (!actor?.user_sid || actor.scope !== 'account' || actor.mustConfirmEmail) return undefined
  if (actor.mustChangePassword) throw forbidden(sessionMessages.mustChangePassword)
  if (actor.viewOnly) throw forbidden(sessionMessages.viewOnly)
  return actor.account_sid
}

/**
 * Checks that the user of a session requested to change how to sign in. A stolen token must not be enough to take over the
 * user: users with a password enter it, and users of an identity provider enter a code that is mailed to their address.
 */
export const createSignInChangeProof = ({
  users,
  lockout,
  passwordCost,
  signInCodes,
  emailChanges,
  outbox,
  attemptCounts,
}: SignInChangeServices) => {
  const checkPassword = async ({ user_sid, hashed_password }: StoredUser, password: string, ip: string) => {
    const verify = () => verifyPassword(hashed_password, password, passwordCost)
    return (await lockout.attempt(user_sid, ip, verify)) === 'correct'
  }

  return {
    /** Throws 400, which names the field, unless the body proves that the request is the user's. Uses a code up. */
    async check(actor: Actor, body: SubmittedProof, request: FastifyRequest): Promise<void> {
      const user = await users.find(fullReach, actor.user_sid ?? '')
      if (!user) throw forbidden(messages.inactiveUser)
      const refuse = (message: string, field: string) => {
        logSecurityEvent(request, 'sign_in_failed', {
          target_sid: user.user_sid,
          reason: 'sign-in change without proof',
        })
        return badRequest(message, field)
      }
      if (user.provider === 'local') {
        const { old_password } = body
        if (!old_password) throw refuse(messages.missingOldPassword, 'old_password')
        if (!(await checkPassword(user, old_password, request.ip)))
          throw refuse(messages.wrongOldPassword, 'old_password')
        return
      }
      const code = body.confirmation_code?.replace(/[\s-]/g, '')
      if (!code) throw refuse(messages.missingConfirmationCode, 'confirmation_code')
      if (!(await signInCodes.use(user.user_sid, code)))
        throw refuse(messages.wrongConfirmationCode, 'confirmation_code')
    },

    /** Mails a code to a user of an identity provider. False if the actor is no such user. */
    async sendCode(actor: Actor, request: FastifyRequest): Promise<boolean> {
      const user = actor.user_sid && actor.scope === 'account' ? await users.find(fullReach, actor.user_sid) : undefined
      const to = user && user.provider !== 'local' ? await emailChanges.findRecoveryEmail(user) : undefined
      if (!user || !to) return false
      refuseWhileWaiting(await signInCodes.getResendDelay(user.user_sid), messages.resendTooSoon)
      refuseWhileWaiting(await attemptCounts.add(codeLimit, user.user_sid))
      const code = generateCode()
      await signInCodes.store(user.user_sid, code)
      const message = buildSignInCodeMail(to, user, { code, lifetimeMinutes: codeLifetimeMinutes })
      outbox.sendLater((mail) => mail.send(message), 'with a confirmation code', request.log)
      return true
    },
  }
}
