import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import { sbc } from '@trunkline/contract/resources/sbc'
import { create, row } from '@trunkline/contract/shapes/sbc'
import { toWireTime } from '../../db/time'
import { mountRoute } from '../../http/mount-route'
import { notFound, refusalProblem } from '../../http/problem'
import type { Services } from '../../services'
import { unknownReference } from '../../shared/refusals'

const checkPermission = (actor: Actor, action: Action) => {
  if (!can(actor, action, 'sbc')) throw refusalProblem(findRefusal('sbc', action, actor.scope))
}

export const sbcRoutes = (app: FastifyInstance, { store, providers }: Services): void => {
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

  const query = z.looseObject({ service_provider_sid: z.string().optional() })
  mountRoute(app, sbc.list, { query, response: z.array(row) }, async ({ query: queryParams, actor }) => {
    const provider = actor.scope === 'admin' ? queryParams.service_provider_sid : actor.service_provider_sid
    const providerAddresses = provider ? await listAddresses(provider) : []
    // Providers without addresses of their own use those of the platform.
    return providerAddresses.length > 0 ? providerAddresses : listAddresses(null)
  })

  mountRoute(app, sbc.create, { body: create, response: createdResponse }, async ({ body, actor }) => {
    checkPermission(actor, 'create')
    const { service_provider_sid } = body
    if (service_provider_sid && !(await providers.find({ all: true }, service_provider_sid)))
      throw unknownReference('service_provider_sid')
    const sid = randomUUID()
    await db
      .insertInto('sbc_addresses')
      .values({ ...body, sbc_address_sid: sid })
      .execute()
    return { sid }
  })

  mountRoute(app, sbc.remove, { checkSids: false }, async ({ params, actor }) => {
    checkPermission(actor, 'remove')
    const [result] = await db
      .deleteFrom('sbc_addresses')
      .where('sbc_address_sid', '=', params.sbc_address_sid)
      .execute()
    if (!result?.numDeletedRows) throw notFound()
  })
}
