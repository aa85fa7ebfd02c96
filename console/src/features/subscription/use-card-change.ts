import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/payment'
import { messages as subscriptionMessages } from '@trunkline/contract/messages/subscription'
import { changeSubscription } from '@trunkline/contract/resources/subscription'
import { useState } from 'react'
import { refreshAfterChange } from '../../kit/record/record'
import { request } from '../../lib/client'
import { paths } from '../../lib/paths'
import { meQuery } from '../../session/me-query'
import { toast } from '../../ui/feedback/toast'
import { getPaymentErrorText, hasEndedSession } from './payment-problem'
import type { CardInput } from './use-card'

/** The status of a card that was saved, but could not pay an invoice. */
const invoiceNotPaidStatus = 'failed to pay outstanding invoices'

interface CardChangeOptions {
  accountSid: string
  card: CardInput
  /** An invoice waits for the new card. */
  hasOpenInvoice: boolean
}

/** Replaces the card. The server pays open invoices with the new one. */
export const useCardChange = ({ accountSid, card, hasOpenInvoice }: CardChangeOptions) => {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [isPending, setIsPending] = useState(false)
  /** The server's status for an invoice that is still open. */
  const [openInvoiceStatus, setOpenInvoiceStatus] = useState<string>()

  const saveCard = async () => {
    const payment_method_id = await card.createPaymentMethod()
    if (payment_method_id === undefined) return
    const body = { action: 'update-payment-method', payment_method_id } as const
    const { status } = await request(changeSubscription, { body, isBackground: true })
    await cache.refetchQueries({ queryKey: meQuery.queryKey })
    void refreshAfterChange(cache, 'account')
    if (status === invoiceNotPaidStatus) {
      card.clear()
      return setOpenInvoiceStatus(status)
    }
    if (status !== 'success') return card.showError(generalMessages.failed)
    toast.ok(hasOpenInvoice ? subscriptionMessages.paid : messages.cardSaved)
    await navigate({ to: paths.accounts.edit(accountSid) })
  }
  const save = async () => {
    if (isPending) return
    setIsPending(true)
    setOpenInvoiceStatus(undefined)
    await saveCard().catch((error: unknown) => {
      if (!hasEndedSession(error)) card.showError(getPaymentErrorText(error))
    })
    setIsPending(false)
  }
  return { save, isPending, openInvoiceStatus }
}
