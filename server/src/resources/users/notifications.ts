import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from '../../db/repository'
import type { Letter } from '../../ports/mail'
import type { Services } from '../../services'
import {
  confirmEmailLetter,
  emailChangedLetter,
  ownEmailChangedLetter,
  passwordSetLetter,
} from '../../shared/user-mails'
import type { StoredUser } from './repository'

interface Change {
  before: StoredUser
  /** The address in the request. */
  email: string | undefined
  own: boolean
  newPassword: boolean
}

/** What users are told by mail when their address or their password changes. Without a mail server, nothing. */
export const userNotices = ({ emailChanges, outbox }: Services, publicUrl: string) => {
  /** A user changes its own address: the new one is asked for a confirmation, the confirmed one is told. */
  const ownEmail = async (tx: Connection, { before, email = '' }: Change): Promise<Letter[]> => {
    const { link, confirmedEmail } = await emailChanges.start(before, email, tx)
    if (!link) return []
    const isNew = email !== before.email
    return [
      confirmEmailLetter(email, before, `${publicUrl}/confirm-email/${link}`),
      ...(confirmedEmail && isNew
        ? [ownEmailChangedLetter(confirmedEmail, before, email, `${publicUrl}/forgot-password`)]
        : []),
    ]
  }

  /** Somebody else changes address or password: both count at once, and the user is told. */
  const byAnother = async (tx: Connection, { before, email, newPassword }: Change): Promise<Letter[]> => {
    const recoveryEmail = await emailChanges.recoveryEmail(before, tx)
    const isNewEmail = email !== undefined && email !== before.email
    if (isNewEmail) await emailChanges.discard(before.user_sid, tx)
    if (!recoveryEmail) return []
    return [
      ...(isNewEmail ? [emailChangedLetter(recoveryEmail, before, email)] : []),
      ...(newPassword ? [passwordSetLetter(recoveryEmail, before)] : []),
    ]
  }

  return {
    /** Prepares the messages, and notes an address that has to be confirmed. In the transaction, before the change. */
    async prepare(tx: Connection, change: Change): Promise<Letter[]> {
      const { before, email, own } = change
      if (!own) return byAnother(tx, change)
      if (email === undefined) return []
      const isNew = email !== before.email
      if (outbox.enabled && before.provider === 'local')
        return isNew || (await emailChanges.pending(before, tx)) === email ? ownEmail(tx, change) : []
      if (isNew) await emailChanges.discard(before.user_sid, tx)
      return []
    },

    /** Sends them after the answer. */
    send(letters: Letter[], log: FastifyBaseLogger): void {
      for (const letter of letters) outbox.later((mail) => mail.send(letter), 'about a user', log)
    },
  }
}
