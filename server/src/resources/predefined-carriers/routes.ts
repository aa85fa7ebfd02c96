import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import {
  addPredefinedToAccount,
  addPredefinedToProvider,
  predefinedCarriers,
} from '@trunkline/contract/resources/predefined-carrier'
import { row } from '@trunkline/contract/shapes/predefined-carrier'
import { mountRoute } from '../../http/mount-route'
import { checkSidFormat as checkTenant, isSid, passGate, type Segment } from '../../http/gate'
import { badRequest, notFound } from '../../http/problem'
import { insufficientPrivileges } from '../../shared/refusals'
import { shortId } from '../../secrets/ids'
import type { Services } from '../../services'
import { withTransaction } from '../../db/transaction'

export const predefinedCarrierRoutes = (
  app: FastifyInstance,
  { store, accounts, quotas }: Services,
  adminCarrier: boolean,
): void => {
  const { db } = store.database

  mountRoute(app, predefinedCarriers, { response: z.array(row) }, () =>
    db.selectFrom('predefined_carriers').selectAll().orderBy('name').execute(),
  )

  /**
   * Copies a predefined carrier and its gateways to a tenant in one transaction. Returns the SID of the new carrier.
   */
  const copyToTenant = async (predefined_carrier_sid: string, owner: Owner): Promise<{ sid: string }> => {
    const predefinedCarrier = await db
      .selectFrom('predefined_carriers')
      .selectAll()
      .where('predefined_carrier_sid', '=', predefined_carrier_sid)
      .executeTakeFirst()
    if (!predefinedCarrier) throw notFound()
    const { predefined_carrier_sid: _, requires_static_ip: __, name, ...columns } = predefinedCarrier
    const voip_carrier_sid = randomUUID()
    await withTransaction(db, async (tx) => {
      const sameNameCarrier = await tx
        .selectFrom('voip_carriers')
        .select('voip_carrier_sid')
        .where('name', '=', name)
        .where('service_provider_sid', '=', owner.service_provider_sid)
        .executeTakeFirst()
      const carrierName = sameNameCarrier ? `${name}-${shortId()}` : name
      await tx
        .insertInto('voip_carriers')
        .values({ ...columns, ...owner, voip_carrier_sid, name: carrierName })
        .execute()
      const carrierCondition = ['predefined_carrier_sid', '=', predefined_carrier_sid] as const
      const sipGateways = await tx
        .selectFrom('predefined_sip_gateways')
        // An upgraded database has more columns here than a new one, and gateways have all of them.
        .selectAll()
        .where(...carrierCondition)
        .execute()
      for (const { predefined_sip_gateway_sid: ___, predefined_carrier_sid: ____, ...gateway } of sipGateways)
        await tx
          .insertInto('sip_gateways')
          .values({ ...gateway, voip_carrier_sid, sip_gateway_sid: randomUUID() })
          .execute()
      const smppGateways = await tx
        .selectFrom('predefined_smpp_gateways')
        .select(['ipv4', 'port', 'inbound', 'outbound', 'netmask', 'is_primary', 'use_tls'])
        .where(...carrierCondition)
        .execute()
      for (const gateway of smppGateways)
        await tx
          .insertInto('smpp_gateways')
          .values({ ...gateway, voip_carrier_sid, smpp_gateway_sid: randomUUID() })
          .execute()
    })
    store.listCounts.invalidate('voip_carriers')
    return { sid: voip_carrier_sid }
  }

  const checkSids = (actor: Actor, segment: Segment, tenant: string, predefined_carrier_sid: string) => {
    checkTenant(actor, segment, tenant)
    if (!isSid(predefined_carrier_sid)) throw badRequest('Bad request')
  }

  /** Checks permission before anything is looked up, so that a refusal reveals nothing. */
  const authorize = (actor: Actor, owner: Owner) => {
    passGate(actor, 'create', 'voip_carrier', owner)
    if (adminCarrier && actor.scope === 'account') throw insufficientPrivileges()
  }

  mountRoute(
    app,
    addPredefinedToProvider,
    { response: createdResponse, checkSids: false },
    async ({ params, actor }) => {
      checkSids(actor, 'ServiceProviders', params.service_provider_sid, params.predefined_carrier_sid)
      const owner = { service_provider_sid: params.service_provider_sid, account_sid: null }
      authorize(actor, owner)
      const provider = await db
        .selectFrom('service_providers')
        .select('service_provider_sid')
        .where('service_provider_sid', '=', params.service_provider_sid)
        .executeTakeFirst()
      if (!provider) throw notFound()
      return copyToTenant(params.predefined_carrier_sid, owner)
    },
  )

  mountRoute(
    app,
    addPredefinedToAccount,
    { response: createdResponse, checkSids: false },
    async ({ params, actor }) => {
      checkSids(actor, 'Accounts', params.account_sid, params.predefined_carrier_sid)
      const service_provider_sid = (await accounts.providerOf(params.account_sid)) ?? null
      const owner = { service_provider_sid, account_sid: params.account_sid }
      authorize(actor, owner)
      if (!service_provider_sid) throw notFound()
      await quotas.check('voip_carrier', actor)
      return copyToTenant(params.predefined_carrier_sid, owner)
    },
  )
}
