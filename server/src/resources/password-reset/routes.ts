import type { FastifyInstance } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { forgotPassword, signIn } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/password-reset'
import * as shapes from '@trunkline/contract/shapes/session'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, Problem } from '../../http/problem'
import type { Mail } from '../../ports/mail'
import type { Services } from '../../composition/services'
import type { StoredUser } from '../users/public'
import { createAuthenticator, logSignIn, type AuthenticatorServices } from '../session/public'
import { isMailAddress } from '../../shared/mail-address'
import { buildExternalSignInMail, buildPasswordResetMail } from '../../shared/user-mails'

/** The limit of reset requests per client, if the installation limits requests. */
const rateLimitPerClient = { max: 10, timeWindow: 15 * 60_000 }

type MailerServices = AuthenticatorServices & Pick<Services, 'emailChanges' | 'resetLinks'>

interface MailOptions {
  mail: Mail
  publicUrl: string
  isRateLimited: boolean
}

/**
 * Returns a function that sends a link to each user with an address. Links are issued one at a time, so that parallel
 * requests cannot exceed the limit.
 */
const createResetMailer = (services: MailerServices, { mail, publicUrl }: MailOptions) => {
  const { emailChanges, resetLinks } = services
  const { findMembership } = createAuthenticator(services)
  let previousLink: Promise<unknown> = Promise.resolve()

  const issueLink = (user: StoredUser, email: string) => {
    const linkPromise = previousLink.then(() => resetLinks.create(user, email))
    previousLink = linkPromise.catch(() => undefined)
    return linkPromise
  }

  const sendToUser = async (user: StoredUser): Promise<void> => {
    const to = await emailChanges.findRecoveryEmail(user)
    if (!to || !(await findMembership(user)).isActive) return
    // Also limits the mails to users of external identity providers, who receive no link.
    const link = await issueLink(user, to)
    if (!link) return
    const message =
      user.provider === 'local'
        ? buildPasswordResetMail(to, user, `${publicUrl}/reset-password/${link}`)
        : buildExternalSignInMail(to, user, `${publicUrl}/`)
    try {
      await mail.send(message)
    } catch (error) {
      await resetLinks.revoke(link)
      throw error
    }
  }

  return async (email: string): Promise<void> => {
    for (const user of await emailChanges.findUsersByRecoveryEmail(email)) await sendToUser(user)
  }
}

const forgotPasswordRoutes = (
  app: FastifyInstance,
  services: MailerServices & Pick<Services, 'outbox'>,
  options: MailOptions,
): void => {
  const sendResetMails = createResetMailer(services, options)
  const countRequest = options.isRateLimited
    ? app.createRateLimit({ ...rateLimitPerClient, keyGenerator: (request) => request.ip })
    : undefined

  mountRoute(app, forgotPassword, { body: shapes.forgotPasswordSchema }, async ({ body: { email }, request }) => {
    const emailAddress = email?.trim() ?? ''
    if (!isMailAddress(emailAddress)) throw new Problem(400, { error: messages.invalidEmail })
    const rateLimit = await countRequest?.(request)
    if (rateLimit && !rateLimit.isAllowed && rateLimit.isExceeded)
      throw new Problem(429, { error: messages.tooMany }, { 'retry-after': String(rateLimit.ttlInSeconds) })
    services.outbox.sendLater(() => sendResetMails(emailAddress), 'for a new password', request.log)
  })
}

/**
 * The routes for a forgotten password, and sign-in by email address. They are mounted only if mail can be sent; sign-in by
 * address also belongs to the hosted edition.
 */
export const passwordResetRoutes = (
  app: FastifyInstance,
  services: MailerServices & Pick<Services, 'outbox' | 'mail' | 'hostedEdition'>,
  { features, publicUrl, rateLimit }: { features: FeatureFlags; publicUrl: string; rateLimit: object | null },
): void => {
  const { users, sessions, resetLinks, mail, hostedEdition } = services
  if (!mail || !(features.forgotPassword || hostedEdition)) return
  const authenticator = createAuthenticator(services)

  if (features.forgotPassword)
    forgotPasswordRoutes(app, services, { mail, publicUrl, isRateLimited: rateLimit !== null })

  const findUserByLink = async (link: string): Promise<StoredUser> => {
    const row = await resetLinks.find(link)
    const user = row && (await users.find(fullReach, row.user_sid))
    if (user?.provider !== 'local' || !(await resetLinks.isValidFor(link, user))) throw forbidden()
    return user
  }

  /** Binds the link to the new session. Of two parallel requests, only one succeeds. */
  const bindLink = async (link: string, token: string): Promise<void> => {
    const { session_sid = '' } = (await sessions.verify(token)) ?? {}
    if (await resetLinks.bindToSession(link, session_sid)) return
    await sessions.close(session_sid)
    throw forbidden()
  }

  const checkEmailPassword = async (
    { email, password, ip }: { email: string; password: string; ip: string },
    setUser: (user: StoredUser | undefined) => void,
  ): Promise<StoredUser> => {
    await authenticator.checkNetwork(ip)
    const candidates = (await users.findByEmail(email)).filter(
      (user) => user.provider === 'local' && user.email_validated === 1,
    )
    // An address shared by several users identifies none of them.
    const user = candidates.length === 1 ? candidates[0] : undefined
    setUser(user)
    await authenticator.checkPassword({ user, name: `email ${email.toLowerCase()}`, password, ip })
    // Not 404, which would reveal which addresses have a user.
    if (!user) throw forbidden()
    return user
  }

  mountRoute(
    app,
    signIn,
    { body: shapes.signInSchema, response: shapes.signInResponseSchema },
    async ({ body: { link, email, password }, request }) => {
      if (!link && !(email && password)) throw badRequest('missing email or password')
      const { user, token, tenancy } = await logSignIn(request, async (setUser) => {
        const attempt = { email: email ?? '', password: password ?? '', ip: request.ip }
        const user = link ? await findUserByLink(link) : await checkEmailPassword(attempt, setUser)
        setUser(user)
        const session = await authenticator.openSession(user)
        if (link) await bindLink(link, session.token)
        return { user, ...session }
      })
      return {
        jwt: token,
        user_sid: user.user_sid,
        name: user.name,
        email: user.email,
        phone: user.phone,
        account_sid: tenancy.account_sid ?? null,
        service_provider_sid: tenancy.service_provider_sid ?? null,
        force_change: user.force_change === 1,
        provider: user.provider,
        provider_userid: user.provider_userid,
        scope: user.scope,
        phone_validated: user.phone_validated === 1,
        email_validated: user.email_validated === 1,
        // Only active users can sign in.
        is_active: true,
        pristine: false,
      }
    },
  )
}
