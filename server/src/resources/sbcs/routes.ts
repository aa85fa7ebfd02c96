import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can, fullReach } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import { sbc } from '@trunkline/contract/resources/sbc'
import { sbcDraftSchema, sbcSchema } from '@trunkline/contract/shapes/sbc'
import { toWireTime } from '../../db/time'
import { mountRoute } from '../../http/mount-route'
import { notFound, refusalProblem } from '../../http/problem'
import type { Services } from '../../composition/services'
import { unknownReference } from '../../shared/refusals'

const checkPermission = (actor: Actor, action: Action) => {
  if (!can(actor, action, 'sbc')) throw refusalProblem(findRefusal('sbc', action, actor.scope))
}

export const sbcRoutes = (app: FastifyInstance, { store, providers }: Pick<Services, 'store' | 'providers'>): void => {
  const { db } = store.database

  const listAddresses = async (service_provider_sid: string | null) => {
    const rows = await db
      .selectFrom('sbc_addresses')
      .selectAll()
      .where('service_provider_sid', service_provider_sid === null ? 'is' : '=', service_provider_sid)
      .orderBy('ipv4')
      .execute()
    return rows.map((row) => ({ ...row, last_updated: row.last_updated && toWireTime(row.last_updated) }))
  }

  const listQuerySchema = z.looseObject({ service_provider_sid: z.string().optional() })
  mountRoute(app, sbc.list, { query: listQuerySchema, response: z.array(sbcSchema) }, async ({ query, actor }) => {
    const providerSid = actor.scope === 'admin' ? query.service_provider_sid : actor.service_provider_sid
    const providerAddresses = providerSid ? await listAddresses(providerSid) : []
    // A provider without addresses uses those of the platform.
    return providerAddresses.length > 0 ? providerAddresses : listAddresses(null)
  })

  mountRoute(app, sbc.create, { body: sbcDraftSchema, response: createdResponseSchema }, async ({ body, actor }) => {
    checkPermission(actor, 'create')
    const { service_provider_sid } = body
    if (service_provider_sid && !(await providers.find(fullReach, service_provider_sid)))
      throw unknownReference('service_provider_sid')
    const sid = randomUUID()
    await db
      .insertInto('sbc_addresses')
      .values({ ...body, sbc_address_sid: sid })
      .execute()
    return { sid }
  })

  mountRoute(app, sbc.remove, { requiresWellFormedSids: false }, async ({ params, actor }) => {
    checkPermission(actor, 'remove')
    const [result] = await db
      .deleteFrom('sbc_addresses')
      .where('sbc_address_sid', '=', params.sbc_address_sid)
      .execute()
    if (!result?.numDeletedRows) throw notFound()
  })
}
