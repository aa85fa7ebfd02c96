import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { createdResponse, listQuery, listResponse } from '@trunkline/contract/kit/fields'
import { sharedRecordsSid } from '@trunkline/contract/kit/page'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { create, row, update, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { containsText, type ListOptions, type WithOwner } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, inUse, notFound } from '../../http/problem'
import { findPermitted, listRecords, requirePermission, resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../services'
import { insufficientPrivileges } from '../../shared/refusals'
import { carrierAggregates, type GatewayLists } from './carrier-aggregate'
import { resolveCarrierChanges, resolveCarrierOwner, checkCarrier, checkGateways, defaultOwner } from './rules'

/** Bytes, enough for 300 gateways of each kind. */
const bodyLimit = 512 * 1024

const listOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  where: [
    ...(name ? [containsText(sql`t.name`, name)] : []),
    ...(account_sid === sharedRecordsSid ? [sql`t.account_sid is null`] : []),
    // Accounts can also use carriers shared by their provider.
    ...(account_sid && account_sid !== sharedRecordsSid
      ? [
          sql`(t.account_sid = ${account_sid} or (t.account_sid is null and t.service_provider_sid =
            (select service_provider_sid from accounts where account_sid = ${account_sid})))`,
        ]
      : []),
    ...(service_provider_sid ? [sql`t.service_provider_sid = ${service_provider_sid}`] : []),
  ],
})

/** Separates the gateway lists of a body from the carrier's own columns. */
const splitGateways = ({ sip_gateways, smpp_gateways, ...carrier }: Row): { carrier: Row; gateways: GatewayLists } => ({
  carrier,
  gateways: { sip_gateways, smpp_gateways } as GatewayLists,
})

const countNewGateways = ({ sip_gateways = [] }: GatewayLists) =>
  sip_gateways.filter(({ sip_gateway_sid }) => sip_gateway_sid === undefined).length

export const voipCarrierRoutes = (
  app: FastifyInstance,
  services: Services,
  { adminCarrier, minimumNetmask }: { adminCarrier: boolean; minimumNetmask?: number },
): void => {
  const { store, voipCarriers, accounts, providers, quotas, sipGateways, smppGateways } = services
  const aggregates = carrierAggregates(store, voipCarriers, { sip_gateways: sipGateways, smpp_gateways: smppGateways })

  /** Throws if the installation reserves carriers for administrators and providers. */
  const checkCanProvision = (actor: Actor) => {
    if (adminCarrier && actor.scope === 'account') throw insufficientPrivileges()
  }

  const add = async (draft: Row, owner: Owner, voip_carrier_sid: string, actor: Actor) => {
    const { carrier, gateways } = splitGateways(draft)
    const { register_status: _, created_at: __, ...values }: Row = { ...carrier, ...owner }
    await checkCarrier(values, {}, services)
    checkGateways(gateways, values, minimumNetmask)
    await quotas.check('voip_carrier', actor)
    await quotas.check('sip_gateway', actor, countNewGateways(gateways))
    await aggregates.insert({ ...values, voip_carrier_sid }, gateways)
  }

  const change = async (current: WithOwner<VoipCarrier>, body: Row, actor: Actor) => {
    checkCanProvision(actor)
    const { carrier, gateways } = splitGateways(body)
    const { version, ...columns } = carrier
    const { values, owner } = await resolveCarrierChanges(current, columns, services)
    checkGateways(gateways, { ...current, ...values }, minimumNetmask)
    await quotas.check('sip_gateway', actor, countNewGateways(gateways))
    // Checked again with the new owner, so that no carrier is moved to a foreign tenant.
    requirePermission('voip_carrier', 'update', actor, owner)
    if (owner.account_sid !== current.account_sid || owner.service_provider_sid !== current.service_provider_sid) {
      const references = await voipCarriers.foreignReferences(current.voip_carrier_sid, owner)
      if (references.length > 0) throw inUse('phone numbers or routes of other accounts use this carrier', references)
    }
    await aggregates.update(current.voip_carrier_sid, values, gateways, version as string | undefined)
  }

  mountRoute(app, voipCarrier.read, { response: row }, async ({ params, actor }) => {
    const stored = await findPermitted(
      { kind: 'voip_carrier', rows: voipCarriers, missing: { read: notFoundWithoutBody } },
      'read',
      actor,
      params.voip_carrier_sid,
    )
    return { ...stored, version: await aggregates.version(stored.voip_carrier_sid) }
  })

  resourceRoutes(app, voipCarrier, voipCarriers, {
    actions: ['list', 'create', 'update', 'remove'],
    bodyLimit,
    rowSchema: row,
    createBody: create,
    updateBody: update,
    missing: { update: notFound },
    listOptions: listOptions,
    ownerOf: (draft, actor) => {
      checkCanProvision(actor)
      return resolveCarrierOwner(defaultOwner(actor, draft), services)
    },
    insertRow: async (draft, sid, actor) =>
      add(draft, await resolveCarrierOwner(defaultOwner(actor, draft), services), sid, actor),
    updateRow: change,
    remove: async ({ voip_carrier_sid }, actor) => {
      checkCanProvision(actor)
      const dependents = await voipCarriers.dependents(voip_carrier_sid)
      const isUsedByNumbers = dependents.some(({ kind }) => kind === 'phone_number')
      if (dependents.length > 0)
        throw inUse(isUsedByNumbers ? messages.usedByNumbers : messages.usedByRoutes, dependents)
      await voipCarriers.removeWithGateways(voip_carrier_sid)
    },
  })

  const find = (actor: Actor, sid: string) =>
    findPermitted({ kind: 'voip_carrier', rows: voipCarriers, missing: { update: notFound } }, 'update', actor, sid)
  const shapes = { query: listQuery, response: listResponse(row) }

  mountRoute(app, carriersOfProvider.list, shapes, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'service_provider', rows: providers }, 'read', actor, params.service_provider_sid)
    return listRecords(voipCarriers, 'voip_carrier', { ...query, ...params }, actor, listOptions)
  })
  mountRoute(
    app,
    carriersOfProvider.create,
    { body: create, response: createdResponse, bodyLimit },
    async ({ params, body, actor }) => {
      await findPermitted({ kind: 'service_provider', rows: providers }, 'update', actor, params.service_provider_sid)
      const owner = await resolveCarrierOwner({ account_sid: body.account_sid, ...params }, services)
      const sid = randomUUID()
      await add(body, owner, sid, actor)
      return { sid }
    },
  )
  mountRoute(app, carriersOfProvider.update, { body: update, bodyLimit }, async ({ params, body, actor }) => {
    await findPermitted({ kind: 'service_provider', rows: providers }, 'update', actor, params.service_provider_sid)
    const current = await find(actor, params.voip_carrier_sid)
    if (current.service_provider_sid !== params.service_provider_sid) throw notFound()
    await change(current, body, actor)
  })

  mountRoute(app, carriersOfAccount.list, shapes, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'account', rows: accounts }, 'read', actor, params.account_sid)
    return listRecords(voipCarriers, 'voip_carrier', query, actor, ({ name }) => ({
      where: [sql`t.account_sid = ${params.account_sid}`, ...(name ? [containsText(sql`t.name`, name)] : [])],
    }))
  })
  mountRoute(
    app,
    carriersOfAccount.create,
    { body: create, response: createdResponse, bodyLimit },
    async ({ params, body, actor }) => {
      checkCanProvision(actor)
      await findPermitted({ kind: 'account', rows: accounts }, 'update', actor, params.account_sid)
      const sid = randomUUID()
      await add(body, await resolveCarrierOwner(params, services), sid, actor)
      return { sid }
    },
  )
  mountRoute(app, carriersOfAccount.update, { body: update, bodyLimit }, async ({ params, body, actor }) => {
    await findPermitted({ kind: 'account', rows: accounts }, 'update', actor, params.account_sid)
    const current = await find(actor, params.voip_carrier_sid)
    if (current.account_sid !== params.account_sid) throw notFound()
    await change(current, body, actor)
  })
}
