import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from '../../db/repository'
import type { Letter } from '../../ports/mail'
import type { Services } from '../../services'
import { confirmEmailMail, emailChangedMail, ownEmailChangedMail, passwordSetMail } from '../../shared/user-mails'
import type { StoredUser } from './repository'

interface Change {
  current: StoredUser
  /** The address in the request. */
  email: string | undefined
  isOwnUser: boolean
  isNewPassword: boolean
}

/** What users are told by mail when their address or their password changes. Without a mail server, nothing. */
export const userNotifications = ({ emailChanges, outbox }: Services, publicUrl: string) => {
  /** A user changes its own address: the new one is asked for a confirmation, the confirmed one is told. */
  const ownEmailMails = async (tx: Connection, { current, email = '' }: Change): Promise<Letter[]> => {
    const { link, confirmedEmail } = await emailChanges.start(current, email, tx)
    if (!link) return []
    const isNew = email !== current.email
    return [
      confirmEmailMail(email, current, `${publicUrl}/confirm-email/${link}`),
      ...(confirmedEmail && isNew
        ? [ownEmailChangedMail(confirmedEmail, current, email, `${publicUrl}/forgot-password`)]
        : []),
    ]
  }

  /** Somebody else changes address or password: both count at once, and the user is told. */
  const otherUserMails = async (tx: Connection, { current, email, isNewPassword }: Change): Promise<Letter[]> => {
    const recoveryEmail = await emailChanges.recoveryEmail(current, tx)
    const isNewEmail = email !== undefined && email !== current.email
    if (isNewEmail) await emailChanges.discard(current.user_sid, tx)
    if (!recoveryEmail) return []
    return [
      ...(isNewEmail ? [emailChangedMail(recoveryEmail, current, email)] : []),
      ...(isNewPassword ? [passwordSetMail(recoveryEmail, current)] : []),
    ]
  }

  return {
    /** Prepares the messages, and notes an address that has to be confirmed. In the transaction, before the change. */
    async prepare(tx: Connection, change: Change): Promise<Letter[]> {
      const { current, email, isOwnUser } = change
      if (!isOwnUser) return otherUserMails(tx, change)
      if (email === undefined) return []
      const isNew = email !== current.email
      if (outbox.enabled && current.provider === 'local')
        return isNew || (await emailChanges.pending(current, tx)) === email ? ownEmailMails(tx, change) : []
      if (isNew) await emailChanges.discard(current.user_sid, tx)
      return []
    },

    /** Sends them after the answer. */
    send(messages: Letter[], log: FastifyBaseLogger): void {
      for (const message of messages) outbox.sendLater((mail) => mail.send(message), 'about a user', log)
    },
  }
}
