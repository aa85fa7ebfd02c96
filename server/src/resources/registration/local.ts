import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { messages } from '@trunkline/contract/messages/registration'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { RegistrationResponse, registrationSchema } from '@trunkline/contract/shapes/registration'
import { badRequest } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { hashPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import { isAsciiMailAddress } from '../../shared/mail-address'
import { inviteCodeLimit, isUnusedInviteCode } from '../invite-codes/public'
import type { CodeMailer } from './code-mailer'
import { findRootDomain } from './provider'
import { openRegistrationSession } from './session'
import { createSignInChangeProof, findReplacedAccount, type SignInChangeServices } from './sign-in-change'

export type RegistrationBody = z.output<typeof registrationSchema>

/** A request to register. The actor is the user who changes the way to sign in. */
export interface RegistrationRequest {
  body: RegistrationBody
  service_provider_sid: string
  actor: Actor | undefined
  request: FastifyRequest
}

const minPasswordLength = 6

const checkFields = ({ email, password, email_activation_code }: RegistrationBody) => {
  if (!email || !password) throw badRequest('missing email or password', email ? 'password' : 'email')
  const address = email.trim().toLowerCase()
  if (!isAsciiMailAddress(address)) throw badRequest(messages.invalidEmail, 'email')
  if (password.length < minPasswordLength)
    throw badRequest(`password must be at least ${minPasswordLength} characters`, 'password')
  if (!email_activation_code) throw badRequest('email activation code required', 'email_activation_code')
  return { email: address, password }
}

export type LocalRegistrationServices = Pick<
  Services,
  'store' | 'registrations' | 'sessions' | 'passwordRule' | 'hostedEdition'
> &
  SignInChangeServices

/**
 * Returns a function that registers a user with a password. It stores the registration and mails a code. The response and
 * all later ones are the same if the address already belongs to a user, who gets a notice instead.
 */
export const createLocalRegistration = (services: LocalRegistrationServices, codeMailer: CodeMailer) => {
  const { store, registrations, passwordRule, passwordCost, attemptCounts, hostedEdition } = services
  const signInChangeProof = createSignInChangeProof(services)

  /** The invite code to use up when the account is created. Throws 400 unless it is unused. */
  const checkInviteCode = async ({ inviteCode }: RegistrationBody, ip: string): Promise<string | null> => {
    if (!hostedEdition?.requiresInviteCode) return null
    refuseWhileWaiting(await attemptCounts.addForNetwork(inviteCodeLimit, ip))
    const code = inviteCode?.trim() ?? ''
    if (code && (await isUnusedInviteCode(store.database.db, code))) return code
    throw badRequest(messages.invalidInviteCode, 'inviteCode')
  }

  return async ({ body, service_provider_sid, actor, request }: RegistrationRequest): Promise<RegistrationResponse> => {
    const { email, password } = checkFields(body)
    await passwordRule.check(password, 'password')
    const replacedAccountSid = findReplacedAccount(actor)
    if (actor && replacedAccountSid) await signInChangeProof.check(actor, body, request)
    const invite_code = replacedAccountSid ? null : await checkInviteCode(body, request.ip)
    const root_domain = replacedAccountSid ? undefined : await findRootDomain(services, service_provider_sid)
    refuseWhileWaiting(await codeMailer.countMail(email))
    const registration = {
      user_sid: randomUUID(),
      email,
      account_sid: replacedAccountSid ?? randomUUID(),
      // The account's provider may differ from that of new accounts.
      service_provider_sid:
        replacedAccountSid && actor?.scope === 'account' ? actor.service_provider_sid : service_provider_sid,
      hashed_password: await hashPassword(password, passwordCost),
      replaces_users: Number(replacedAccountSid !== undefined),
      invite_code,
    }
    const { code, send } = await codeMailer.prepare({ email, replacedAccountSid })
    await registrations.start(registration, code, actor?.session_sid)
    const jwt = await openRegistrationSession(services, registration)
    send(request.log)
    logSecurityEvent(request, 'registration_started')
    return {
      jwt,
      user_sid: registration.user_sid,
      account_sid: registration.account_sid,
      name: email,
      email,
      provider: 'local',
      ...(root_domain ? { root_domain } : {}),
      pristine: replacedAccountSid === undefined,
      is_active: replacedAccountSid !== undefined,
      email_validated: false,
      phone_validated: false,
      tutorial_completion: 0,
      scope: 'read-write',
    }
  }
}
