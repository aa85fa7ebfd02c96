import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { created, listQuery, listed } from '@trunkline/contract/kit/fields'
import { sharedOnly } from '@trunkline/contract/kit/page'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { create, row, update, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { containsText, type ListOptions, type WithOwner, type Row } from '../../db/repository'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, badRequest, inUse, notFound } from '../../http/problem'
import { findPermitted, listRecords, requirePermission, serve } from '../../http/serve'
import type { Services } from '../../services'
import { wholeCarriers, type Gateways } from './carrier-aggregate'
import { carrierChanges, carrierOwner, checkCarrier, checkGateways, homeOf } from './rules'

/** Bytes: three hundred gateways of each kind. */
const bodyLimit = 512 * 1024

const look = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  where: [
    ...(name ? [containsText(sql`t.name`, name)] : []),
    ...(account_sid === sharedOnly ? [sql`t.account_sid is null`] : []),
    // An account also uses what its own provider keeps for all.
    ...(account_sid && account_sid !== sharedOnly
      ? [
          sql`(t.account_sid = ${account_sid} or (t.account_sid is null and t.service_provider_sid =
            (select service_provider_sid from accounts where account_sid = ${account_sid})))`,
        ]
      : []),
    ...(service_provider_sid ? [sql`t.service_provider_sid = ${service_provider_sid}`] : []),
  ],
})

/** The gateways of a body, apart from what is the carrier's own. */
const apart = ({ sip_gateways, smpp_gateways, ...own }: Row): { own: Row; gateways: Gateways } => ({
  own,
  gateways: { sip_gateways, smpp_gateways } as Gateways,
})

const freshIn = ({ sip_gateways = [] }: Gateways) =>
  sip_gateways.filter(({ sip_gateway_sid }) => sip_gateway_sid === undefined).length

export const voipCarrierRoutes = (
  app: FastifyInstance,
  services: Services,
  { adminCarrier, minimumNetmask }: { adminCarrier: boolean; minimumNetmask?: number },
): void => {
  const { store, voipCarriers, accounts, providers, quotas, sipGateways, smppGateways } = services
  const whole = wholeCarriers(store, voipCarriers, { sip_gateways: sipGateways, smpp_gateways: smppGateways })

  /** An installation may keep carriers out of its accounts' hands. */
  const mayProvision = (actor: Actor) => {
    if (adminCarrier && actor.scope === 'account') throw badRequest('insufficient privileges')
  }

  const add = async (draft: Row, owner: Owner, voip_carrier_sid: string, actor: Actor) => {
    const { own, gateways } = apart(draft)
    const { register_status: _, created_at: __, ...values }: Row = { ...own, ...owner }
    await checkCarrier(values, {}, services)
    checkGateways(gateways, values, minimumNetmask)
    await quotas.check('voip_carrier', actor)
    await quotas.check('sip_gateway', actor, freshIn(gateways))
    await whole.add({ ...values, voip_carrier_sid }, gateways)
  }

  const change = async (before: WithOwner<VoipCarrier>, body: Row, actor: Actor) => {
    mayProvision(actor)
    const { own, gateways } = apart(body)
    const { version, ...columns } = own
    const { values, owner } = await carrierChanges(before, columns, services)
    checkGateways(gateways, { ...before, ...values }, minimumNetmask)
    await quotas.check('sip_gateway', actor, freshIn(gateways))
    // Asked again for the carrier as it would be, so that nothing is moved out of a tenant.
    requirePermission('voip_carrier', 'update', actor, owner)
    if (owner.account_sid !== before.account_sid || owner.service_provider_sid !== before.service_provider_sid) {
      const strangers = await voipCarriers.strangers(before.voip_carrier_sid, owner)
      if (strangers.length > 0) throw inUse('phone numbers or routes of others use this carrier', strangers)
    }
    await whole.change(before.voip_carrier_sid, values, gateways, version as string | undefined)
  }

  mountRoute(app, voipCarrier.read, { answer: row }, async ({ params, actor }) => {
    const found = await findPermitted(
      { kind: 'voip_carrier', rows: voipCarriers, missing: { read: notFoundWithoutBody } },
      'read',
      actor,
      params.voip_carrier_sid,
    )
    return { ...found, version: await whole.version(found.voip_carrier_sid) }
  })

  serve(app, voipCarrier, voipCarriers, {
    actions: ['list', 'create', 'update', 'remove'],
    bodyLimit,
    rowSchema: row,
    createBody: create,
    updateBody: update,
    missing: { update: notFound },
    listOptions: look,
    ownerOf: (draft, actor) => {
      mayProvision(actor)
      return carrierOwner(homeOf(actor, draft), services)
    },
    insertRow: async (draft, sid, actor) => add(draft, await carrierOwner(homeOf(actor, draft), services), sid, actor),
    updateRow: change,
    remove: async ({ voip_carrier_sid }, actor) => {
      mayProvision(actor)
      const dependents = await voipCarriers.dependents(voip_carrier_sid)
      const byNumbers = dependents.some(({ kind }) => kind === 'phone_number')
      if (dependents.length > 0) throw inUse(byNumbers ? messages.inUse : messages.routedOver, dependents)
      await voipCarriers.removeWhole(voip_carrier_sid)
    },
  })

  const find = (actor: Actor, sid: string) =>
    findPermitted({ kind: 'voip_carrier', rows: voipCarriers, missing: { update: notFound } }, 'update', actor, sid)
  const shapes = { query: listQuery, answer: listed(row) }

  mountRoute(app, carriersOfProvider.list, shapes, async ({ params, query, actor }) => {
    await findPermitted({ kind: 'service_provider', rows: providers }, 'read', actor, params.service_provider_sid)
    return listRecords(voipCarriers, 'voip_carrier', { ...query, ...params }, actor, look)
  })
  mountRoute(
    app,
    carriersOfProvider.create,
    { body: create, answer: created, bodyLimit },
    async ({ params, body, actor }) => {
      await findPermitted({ kind: 'service_provider', rows: providers }, 'update', actor, params.service_provider_sid)
      const owner = await carrierOwner({ account_sid: body.account_sid, ...params }, services)
      const sid = randomUUID()
      await add(body, owner, sid, actor)
      return { sid }
    },
  )
  mountRoute(app, carriersOfProvider.update, { body: update, bodyLimit }, async ({ params, body, actor }) => {
    await findPermitted({ kind: 'service_provider', rows: providers }, 'update', actor, params.service_provider_sid)
    const before = await find(actor, params.voip_carrier_sid)
    if (before.service_provider_sid !== params.service_provider_sid) throw notFound()
    await change(before, body, actor)
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
    { body: create, answer: created, bodyLimit },
    async ({ params, body, actor }) => {
      mayProvision(actor)
      await findPermitted({ kind: 'account', rows: accounts }, 'update', actor, params.account_sid)
      const sid = randomUUID()
      await add(body, await carrierOwner(params, services), sid, actor)
      return { sid }
    },
  )
  mountRoute(app, carriersOfAccount.update, { body: update, bodyLimit }, async ({ params, body, actor }) => {
    await findPermitted({ kind: 'account', rows: accounts }, 'update', actor, params.account_sid)
    const before = await find(actor, params.voip_carrier_sid)
    if (before.account_sid !== params.account_sid) throw notFound()
    await change(before, body, actor)
  })
}
