import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import { smpp } from '@trunkline/contract/resources/smpp'
import { create, row } from '@trunkline/contract/shapes/smpp'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import type { Services } from '../../services'
import { unknownReference } from '../../shared/refusals'

const unowned = { service_provider_sid: null, account_sid: null }

export const smppRoutes = (app: FastifyInstance, { store, providers }: Services): void => {
  const { db } = store.database

  const query = z.looseObject({ service_provider_sid: z.string().optional() })
  mountRoute(app, smpp.list, { query, response: z.array(row) }, ({ query: queryParams, actor }) => {
    // Non-administrators get their own provider's addresses. Everybody may read those of the platform.
    const requestedSid = queryParams.service_provider_sid || null
    const sid = requestedSid && actor.scope !== 'admin' ? actor.service_provider_sid : requestedSid
    return db
      .selectFrom('smpp_addresses')
      .selectAll()
      .where('service_provider_sid', sid === null ? 'is' : '=', sid)
      .orderBy('ipv4')
      .execute()
  })

  mountRoute(app, smpp.create, { body: create, response: createdResponse }, async ({ body, actor }) => {
    requirePermission('smpp', 'create', actor, unowned)
    const { service_provider_sid } = body
    if (service_provider_sid && !(await providers.find({ all: true }, service_provider_sid)))
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

  mountRoute(app, smpp.remove, { checkSids: false }, async ({ params, actor }) => {
    requirePermission('smpp', 'remove', actor, unowned)
    const [result] = await db
      .deleteFrom('smpp_addresses')
      .where('smpp_address_sid', '=', params.smpp_address_sid)
      .execute()
    if (!result?.numDeletedRows) throw notFound()
  })
}
