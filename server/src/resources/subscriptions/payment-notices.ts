import type { Store } from '../../db/repository'
import type { PaidSubscription } from '../../ports/payment'
import { listAccountRecipients } from '../../shared/account-recipients'
import type { Outbox } from '../../shared/outbox'
import { buildPaymentFailedMail } from '../../shared/user-mails'

interface NoticeOptions {
  store: Store
  outbox: Outbox
  /** The URL of the console, for the link in the email. */
  publicUrl: string
  logError: (message: string) => void
}

/** Tells the users of an account that its subscription is suspended. */
export type NotifyOfFailedPayment = (account_sid: string, subscription: PaidSubscription | undefined) => void

/** Creates the function that mails users about a failed payment. */
export const createPaymentNotices = ({ store, outbox, publicUrl, logError }: NoticeOptions): NotifyOfFailedPayment => {
  const { db } = store.database
  return (account_sid, subscription) => {
    const { latestInvoice } = subscription ?? {}
    outbox.sendLater(
      async (mail) => {
        const account = await db
          .selectFrom('accounts')
          .select('name')
          .where('account_sid', '=', account_sid)
          .executeTakeFirst()
        if (!account) return
        const notice = { name: account.name, ...(latestInvoice ? { invoice: latestInvoice } : {}) }
        for (const email of await listAccountRecipients(db, account_sid))
          await mail.send(buildPaymentFailedMail(email, notice, `${publicUrl}/`))
      },
      'about a failed payment',
      { error: (_details: object, message: string) => logError(message) },
    )
  }
}
