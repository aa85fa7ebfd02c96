import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import { equalsText } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Services } from '../../composition/services'
import { buildActivationCodeMail, buildAlreadyRegisteredMail } from '../../shared/user-mails'
import { codeLifetimeMinutes, generateCode } from './mailed-codes'
import { isUnconfirmedAddress } from './unconfirmed-addresses'

/** How many mails one address gets, whoever requests them. */
const mailLimit = { name: 'activation mails', max: 5, seconds: 3600 }

/** The owner of an address, and the account whose users may keep it because the new user replaces them. */
interface Recipient {
  email: string
  replacedAccountSid: string | undefined
}

/** Whether the address belongs to a user. */
const hasUser = async (db: Connection, { email, replacedAccountSid = '' }: Recipient): Promise<boolean> => {
  const { rows } = await sql`select u.user_sid from users u where ${equalsText(sql`u.email`, email)}
    and (u.account_sid is null or u.account_sid <> ${replacedAccountSid}) and not ${isUnconfirmedAddress} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

export interface PreparedCode {
  /** Undefined if the address belongs to a user: then no code may match. */
  code: string | undefined
  /** Mails the code or, if the address belongs to a user, a notice. After the response, so that both take the same time. */
  send: (log: FastifyBaseLogger) => void
}

interface MailerOptions {
  publicUrl: string
  canResetPassword: boolean
}

export type CodeMailerServices = Pick<Services, 'store' | 'outbox' | 'attemptCounts'>

/** Mails activation codes. What the caller stores and sends does not tell whether the address belongs to a user. */
export const createCodeMailer = (
  { store, outbox, attemptCounts }: CodeMailerServices,
  { publicUrl, canResetPassword }: MailerOptions,
) => ({
  /** Counts a mail to this address. Returns 0, or the seconds until it may get another one. */
  countMail: (email: string): Promise<number> => attemptCounts.add(mailLimit, email.toLowerCase()),

  async prepare(recipient: Recipient): Promise<PreparedCode> {
    const { email } = recipient
    const code = (await hasUser(store.database.db, recipient)) ? undefined : generateCode()
    const message =
      code === undefined
        ? buildAlreadyRegisteredMail(email, `${publicUrl}/`, { canResetPassword })
        : buildActivationCodeMail(email, code, codeLifetimeMinutes)
    return {
      code,
      send: (log) => outbox.sendLater((mail) => mail.send(message), 'with an activation code', log),
    }
  },
})

export type CodeMailer = ReturnType<typeof createCodeMailer>
