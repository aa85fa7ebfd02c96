import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Features } from '@trunkline/contract/features'
import { forgotPassword, signIn } from '@trunkline/contract/resources/session'
import { messages } from '@trunkline/contract/messages/session'
import * as shapes from '@trunkline/contract/shapes/session'
import { bind } from '../../http/bind'
import { badRequest, forbidden, notFound, Problem } from '../../http/problem'
import type { Mail } from '../../ports/mail'
import type { Services } from '../../services'
import type { StoredUser } from '../users/service'
import { entrance } from './entrance'
import { otherProviderLetter, resetLetter } from './reset-letter'

/** One address, and nothing that a mail server could read as anything else. */
const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
const longestAddress = 255

/** Requests for mail that one client may make, where requests are counted at all. */
const mostOfClient = { max: 10, timeWindow: 15 * 60_000 }

interface Options {
  mail: Mail
  publicUrl: string
  /** Requests are counted. */
  limited: boolean
}

/** Sends mail after the answer, so that neither the answer nor its time tells whether somebody has an address. */
const mailroom = (app: FastifyInstance, services: Services, { mail, publicUrl }: Options) => {
  const { users, resetLinks } = services
  const { standing } = entrance(services)
  const under = new Set<Promise<void>>()
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other: of many at once the first few get theirs. */
  const issue = (user: StoredUser) => {
    const mine = turn.then(() => resetLinks.issue(user))
    turn = mine.catch(() => undefined)
    return mine
  }

  const write = async (user: StoredUser): Promise<void> => {
    if (!(await standing(user)).active) return
    // Counted for those without a password too: their mailbox is as full.
    const link = await issue(user)
    if (!link) return
    const letter =
      user.provider === 'local'
        ? resetLetter(user, `${publicUrl}/reset-password/${link}`)
        : otherProviderLetter(user, `${publicUrl}/`)
    try {
      await mail.send(letter)
    } catch (error) {
      await resetLinks.withdraw(link)
      throw error
    }
  }

  const work = async (email: string, log: FastifyRequest['log']): Promise<void> => {
    try {
      for (const user of await users.byEmail(email)) await write(user)
    } catch (error) {
      const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
      // Not the error itself: it may quote the letter.
      log.error({ code, command, responseCode }, 'a mail for a new password could not be sent')
    }
  }

  // What was promised is sent before the server ends.
  app.addHook('onClose', async () => void (await Promise.all(under)))

  return {
    later: (email: string, log: FastifyRequest['log']): void => {
      const done = new Promise((resolve) => setImmediate(resolve))
        .then(() => work(email, log))
        .finally(() => under.delete(done))
      under.add(done)
    },
  }
}

/** Asking for a mail with a link. Only there where mail can be sent. */
const forgotPasswordRoute = (app: FastifyInstance, services: Services, options: Options): void => {
  const room = mailroom(app, services, options)
  const count = options.limited
    ? app.createRateLimit({ ...mostOfClient, keyGenerator: (request) => request.ip })
    : undefined

  bind(app, forgotPassword, { body: shapes.forgotPassword }, async ({ body: { email }, request }) => {
    const wanted = email?.trim() ?? ''
    if (wanted.length > longestAddress || !address.test(wanted))
      throw new Problem(400, { error: messages.reset.badAddress })
    const used = await count?.(request)
    if (used && !used.isAllowed && used.isExceeded)
      throw new Problem(429, { error: messages.reset.tooMany }, { 'retry-after': String(used.ttlInSeconds) })
    room.later(wanted, request.log)
  })
}

/** The calls about a forgotten password; without mail they do not exist. */
export const resetRoutes = (
  app: FastifyInstance,
  services: Services,
  { features, publicUrl, rateLimit }: { features: Features; publicUrl: string; rateLimit: object | null },
): void => {
  const { users, resetLinks, lockout, mail } = services
  if (!features.forgotPassword || !mail) return
  const door = entrance(services)

  forgotPasswordRoute(app, services, { mail, publicUrl, limited: rateLimit !== null })

  const byLink = async (link: string): Promise<StoredUser> => {
    const held = await resetLinks.holder(link)
    const user = held && (await users.find({ all: true }, held.user_sid))
    if (user?.provider !== 'local' || !(await resetLinks.fits(link, user))) throw forbidden()
    return user
  }

  const byPassword = async (email: string, password: string): Promise<StoredUser> => {
    const found = (await users.byEmail(email)).filter((each) => each.provider === 'local' && each.email_validated === 1)
    // Whose it is cannot be told where several have one address.
    const user = found.length === 1 ? found[0] : undefined
    if (!user) throw notFound()
    await door.checkPassword(user, password)
    await lockout.passed(user.user_sid)
    return user
  }

  bind(app, signIn, { body: shapes.signIn, answer: shapes.signedIn }, async ({ body: { link, email, password } }) => {
    if (!link && !(email && password)) throw badRequest('missing email or password')
    const user = link ? await byLink(link) : await byPassword(email ?? '', password ?? '')
    const { token, tenancy } = await door.admit(user)
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
      // Nobody else comes in.
      is_active: true,
      pristine: false,
    }
  })
}
