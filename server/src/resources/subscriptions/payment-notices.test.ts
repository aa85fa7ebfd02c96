import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseEngines } from '../../../test/databases'
import { startPaymentBackend, type PaymentBackend } from '../../../test/payment-backend'
import type { EmailMessage } from '../../ports/mail'

const daySeconds = 86_400

describe.each(databaseEngines)('emails about failed payments (%s)', (databaseEngine) => {
  let backend: PaymentBackend
  let emails: EmailMessage[]
  beforeEach(async () => {
    emails = []
    const send = (email: EmailMessage) => Promise.resolve(void emails.push(email))
    backend = await startPaymentBackend({
      databaseEngine,
      startSeconds: Date.UTC(2026, 5, 1) / 1000,
      mail: { send, close: () => undefined },
    })
    await backend.database.db.updateTable('users').set({ email_validated: 1 }).where('name', '=', 'acme').execute()
    await backend.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = backend.app.server.address() as { port: number }
    backend.double.webhooks.setTarget({ url: `http://127.0.0.1:${port}/stripe/webhook`, secret: 'whsec_test' })
  })
  afterEach(() => backend.close())

  const advanceDays = async (days: number) => {
    backend.double.advanceTo(backend.double.store.now() + days * daySeconds)
    await backend.double.webhooks.drain()
    await backend.services.outbox.drain()
  }
  const changeCard = (payment_method_id: string) =>
    backend.client('POST', '/Subscriptions', { action: 'update-payment-method', payment_method_id })

  it('are sent once when a renewal fails, and again when a later one does', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    await advanceDays(1)
    expect(emails).toEqual([])
    await advanceDays(30)
    expect(emails.map(({ to, subject }) => [to, subject])).toEqual([['acme@example.com', 'Your payment failed']])
    expect(emails[0]?.text).toContain('The payment of $138.00 for the account acme on Trunkline failed')
    await advanceDays(4)
    expect(emails).toHaveLength(1)
    expect((await changeCard('pm_card_visa')).body).toEqual({ status: 'success' })
    await changeCard('pm_card_chargeCustomerFail')
    await advanceDays(30)
    expect(emails).toHaveLength(2)
  })

  it('are not sent when a change of quantities is not paid: the user sees that at once', async () => {
    await backend.upgrade(10, 20)
    await changeCard('pm_card_chargeCustomerFail')
    const products = backend.buildProducts(14, 40)
    const { body } = await backend.client('POST', '/Subscriptions', { action: 'update-quantities', products })
    expect(body.status).toBe('failed')
    await backend.double.webhooks.drain()
    await backend.services.outbox.drain()
    expect(emails).toEqual([])
  })
})
