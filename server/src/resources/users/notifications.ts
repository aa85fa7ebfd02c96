import type { FastifyBaseLogger } from 'fastify'
import type { Connection } from '../../db/repository-options'
import type { EmailMessage } from '../../ports/mail'
import type { Services } from '../../composition/services'
import {
  buildEmailConfirmationMail,
  buildEmailChangedMail,
  buildOwnEmailChangedMail,
  buildPasswordSetMail,
} from '../../shared/user-mails'
import type { StoredUser } from './repository'

interface NotificationOptions {
  publicUrl: string
  canResetPassword: boolean
}

interface UserChange {
  current: StoredUser
  /** The email address in the request. */
  email: string | undefined
  isOwnUser: boolean
  isNewPassword: boolean
}

/** Mails to users whose email address or password changes. Without a mail server, nothing is sent. */
export const createUserNotifications = (
  { emailChanges, outbox }: Pick<Services, 'emailChanges' | 'outbox'>,
  { publicUrl, canResetPassword }: NotificationOptions,
) => {
  const resetHref = canResetPassword ? `${publicUrl}/forgot-password` : undefined

  /** Users confirm a new address of their own. The previous confirmed address is notified. */
  const prepareMailsForOwnChange = async (
    tx: Connection,
    { current, email = '' }: UserChange,
  ): Promise<EmailMessage[]> => {
    const { link, confirmedEmail } = await emailChanges.start(current, email, tx)
    if (!link) return []
    const isNewAddress = email !== current.email
    return [
      buildEmailConfirmationMail(email, current, `${publicUrl}/confirm-email/${link}`),
      ...(confirmedEmail && isNewAddress ? [buildOwnEmailChangedMail(confirmedEmail, current, email, resetHref)] : []),
    ]
  }

  /** Changes by another user take effect at once, and the user is notified. */
  const prepareMailsForOtherUser = async (
    tx: Connection,
    { current, email, isNewPassword }: UserChange,
  ): Promise<EmailMessage[]> => {
    const recoveryEmail = await emailChanges.findRecoveryEmail(current, tx)
    const isNewEmail = email !== undefined && email !== current.email
    if (isNewEmail) await emailChanges.discard(current.user_sid, tx)
    if (!recoveryEmail) return []
    return [
      ...(isNewEmail ? [buildEmailChangedMail(recoveryEmail, current, email)] : []),
      ...(isNewPassword ? [buildPasswordSetMail(recoveryEmail, current)] : []),
    ]
  }

  return {
    /**
     * Prepares the mails and stores an address that must be confirmed. Call it in the transaction, before the update.
     */
    async prepare(tx: Connection, change: UserChange): Promise<EmailMessage[]> {
      const { current, email, isOwnUser } = change
      if (!isOwnUser) return prepareMailsForOtherUser(tx, change)
      if (email === undefined) return []
      const isNewAddress = email !== current.email
      if (outbox.isEnabled && current.provider === 'local')
        return isNewAddress || (await emailChanges.findPendingEmail(current, tx)) === email
          ? prepareMailsForOwnChange(tx, change)
          : []
      if (isNewAddress) await emailChanges.discard(current.user_sid, tx)
      return []
    },

    send(messages: EmailMessage[], log: FastifyBaseLogger): void {
      for (const message of messages) outbox.sendLater((mail) => mail.send(message), 'about a user', log)
    },
  }
}
