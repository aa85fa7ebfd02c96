import type { FastifyInstance } from 'fastify'
import { badRequest } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { InvalidSignatureError, type PaymentEvent } from '../../ports/payment'
import type { Services } from '../../composition/services'
import type { Billing } from './billing'

/** Events contain one object of the provider. */
const bodyLimit = 512 * 1024

/** The events after which the rows of an account may have to change. */
const relevantTypes: ReadonlySet<string> = new Set([
  'invoice.payment_succeeded',
  'invoice.payment_failed',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
])

/** The account of a customer. The provider may also have customers who are none of ours. */
const findAccount = async (
  { store }: Pick<Services, 'store'>,
  { customerId }: PaymentEvent,
): Promise<string | undefined> => {
  if (!customerId) return undefined
  const row = await store.database.db
    .selectFrom('accounts')
    .select('account_sid')
    .where('stripe_customer_id', '=', customerId)
    .executeTakeFirst()
  return row?.account_sid
}

/** Receives the events of Stripe. They only say which account to compare with Stripe. */
export const stripeWebhookRoute = (app: FastifyInstance, services: Pick<Services, 'store'>, billing: Billing): void =>
  void app.register((scopedApp, _, done) => {
    // The signature covers the bytes of the body.
    scopedApp.removeAllContentTypeParsers()
    scopedApp.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
    scopedApp.post('/stripe/webhook', { bodyLimit, schema: { hide: true } }, async (request, reply) => {
      const event = readEvent()
      if (relevantTypes.has(event.type)) {
        const account_sid = await findAccount(services, event)
        if (account_sid) await billing.handleEvent(account_sid, event)
      }
      return reply.code(204).send()

      function readEvent(): PaymentEvent {
        const signature = request.headers['stripe-signature']
        try {
          return billing.payment.readEvent(
            Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
            typeof signature === 'string' ? signature : '',
          )
        } catch (error) {
          if (!(error instanceof InvalidSignatureError)) throw error
          logSecurityEvent(request, 'access_refused', { reason: error.message })
          throw badRequest(error.message)
        }
      }
    })
    done()
  })
