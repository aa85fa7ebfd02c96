import type { FastifyInstance } from 'fastify'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import { webhook } from '@trunkline/contract/resources/webhook'
import * as shapes from '@trunkline/contract/shapes/webhook'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import type { Services } from '../../composition/services'

const noOwner = { service_provider_sid: null, account_sid: null }

export const webhookRoutes = (app: FastifyInstance, { webhooks }: Pick<Services, 'webhooks'>): void => {
  mountRoute(
    app,
    webhook.create,
    { body: shapes.standaloneWebhookDraftSchema, response: createdResponseSchema },
    async ({ body, actor }) => {
      requirePermission('webhook', 'create', actor, noOwner)
      return { sid: await webhooks.insertUnused(body, actor) }
    },
  )

  mountRoute(
    app,
    webhook.read,
    { response: shapes.storedWebhookSchema },
    async ({ params: { webhook_sid }, actor }) => {
      requirePermission('webhook', 'read', actor, noOwner)
      const stored = (await webhooks.read([webhook_sid])).get(webhook_sid)
      if (!stored) throw notFound()
      return stored
    },
  )
}
