import type { FastifyInstance } from 'fastify'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { forgotPassword, signIn } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/password-reset'
import * as shapes from '@trunkline/contract/shapes/session'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, Problem } from '../../http/problem'
import type { Mail } from '../../ports/mail'
import type { Services } from '../../services'
import type { StoredUser } from '../users/public'
import { createAuthenticator, logSignIn } from '../session/public'
import { externalSignInMail, passwordResetMail } from '../../shared/user-mails'

/** One address, without characters that a mail server could interpret. */
const emailPattern = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
const maxEmailLength = 255

/** Reset requests per client, if requests are limited. */
const rateLimitPerClient = { max: 10, timeWindow: 15 * 60_000 }

interface MailOptions {
  mail: Mail
  publicUrl: string
  isRateLimited: boolean
}

/**
 * Sends a link to each user with this address. Links are issued one at a time, so that parallel requests cannot exceed
 * the limit.
 */
const createResetMailer = (services: Services, { mail, publicUrl }: MailOptions) => {
  const { emailChanges, resetLinks } = services
  const { findMembership } = createAuthenticator(services)
  let previousIssue: Promise<unknown> = Promise.resolve()

  const issue = (user: StoredUser, email: string) => {
    const linkPromise = previousIssue.then(() => resetLinks.create(user, email))
    previousIssue = linkPromise.catch(() => undefined)
    return linkPromise
  }

  const sendToUser = async (user: StoredUser): Promise<void> => {
    const to = await emailChanges.recoveryEmail(user)
    if (!to || !(await findMembership(user)).isActive) return
    // Users of external providers count too, because they also receive mail.
    const link = await issue(user, to)
    if (!link) return
    const message =
      user.provider === 'local'
        ? passwordResetMail(to, user, `${publicUrl}/reset-password/${link}`)
        : externalSignInMail(to, user, `${publicUrl}/`)
    try {
      await mail.send(message)
    } catch (error) {
      await resetLinks.revoke(link)
      throw error
    }
  }

  return async (email: string): Promise<void> => {
    for (const user of await emailChanges.findUsers(email)) await sendToUser(user)
  }
}

/** Mounted only if mail can be sent. */
const forgotPasswordRoute = (app: FastifyInstance, services: Services, options: MailOptions): void => {
  const sendResetMails = createResetMailer(services, options)
  const countRequest = options.isRateLimited
    ? app.createRateLimit({ ...rateLimitPerClient, keyGenerator: (request) => request.ip })
    : undefined

  mountRoute(app, forgotPassword, { body: shapes.forgotPassword }, async ({ body: { email }, request }) => {
    const emailAddress = email?.trim() ?? ''
    if (emailAddress.length > maxEmailLength || !emailPattern.test(emailAddress))
      throw new Problem(400, { error: messages.invalidEmail })
    const rateLimit = await countRequest?.(request)
    if (rateLimit && !rateLimit.isAllowed && rateLimit.isExceeded)
      throw new Problem(429, { error: messages.tooMany }, { 'retry-after': String(rateLimit.ttlInSeconds) })
    services.outbox.sendLater(() => sendResetMails(emailAddress), 'for a new password', request.log)
  })
}

/** The routes for a forgotten password. Without mail they are not mounted. */
export const resetRoutes = (
  app: FastifyInstance,
  services: Services,
  { features, publicUrl, rateLimit }: { features: FeatureFlags; publicUrl: string; rateLimit: object | null },
): void => {
  const { users, sessions, resetLinks, mail } = services
  if (!features.forgotPassword || !mail) return
  const authenticator = createAuthenticator(services)

  forgotPasswordRoute(app, services, { mail, publicUrl, isRateLimited: rateLimit !== null })

  const findUserByLink = async (link: string): Promise<StoredUser> => {
    const row = await resetLinks.find(link)
    const user = row && (await users.find({ all: true }, row.user_sid))
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
    { body: shapes.signIn, response: shapes.signInResponse },
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
