import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { fullReach } from '@trunkline/contract/policy/can'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import { smpp } from '@trunkline/contract/resources/smpp'
import { smppDraftSchema, smppSchema } from '@trunkline/contract/shapes/smpp'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { unknownReference } from '../../shared/refusals'

const noOwner = { service_provider_sid: null, account_sid: null }

export const smppRoutes = (app: FastifyInstance, { store, providers }: Pick<Services, 'store' | 'providers'>): void => {
  const { db } = store.database

  const listQuerySchema = z.looseObject({ service_provider_sid: z.string().optional() })
  mountRoute(app, smpp.list, { query: listQuerySchema, response: z.array(smppSchema) }, ({ query, actor }) => {
    // Without a provider in the query, the list has the addresses of the platform. Only administrators may choose the provider.
    const requestedProviderSid = query.service_provider_sid || null
    const providerSid =
      requestedProviderSid && actor.scope !== 'admin' ? actor.service_provider_sid : requestedProviderSid
    return db
      .selectFrom('smpp_addresses')
      .selectAll()
      .where('service_provider_sid', providerSid === null ? 'is' : '=', providerSid)
      .orderBy('ipv4')
      .execute()
  })

  mountRoute(app, smpp.create, { body: smppDraftSchema, response: createdResponseSchema }, async ({ body, actor }) => {
    requirePermission('smpp', 'create', actor, noOwner)
    const { service_provider_sid } = body
    if (service_provider_sid && !(await providers.find(fullReach, service_provider_sid)))
      throw unknownReference('service_provider_sid')
    const sid = randomUUID()
    await db
      .insertInto('smpp_addresses')
      .values({
        ...body,
        smpp_address_sid: sid,
        use_tls: Number(body.use_tls ?? 0),
        is_primary: Number(body.is_primary ?? 1),
      })
      .execute()
    return { sid }
  })

  mountRoute(app, smpp.remove, { requiresWellFormedSids: false }, async ({ params, actor }) => {
    requirePermission('smpp', 'remove', actor, noOwner)
    const [result] = await db
      .deleteFrom('smpp_addresses')
      .where('smpp_address_sid', '=', params.smpp_address_sid)
      .execute()
    if (!result?.numDeletedRows) throw notFound()
  })
}
