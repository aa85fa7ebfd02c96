import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { created, listQuery, listed } from '@trunkline/contract/kit/fields'
import { messages } from '@trunkline/contract/messages/carrier'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { create, row, update, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { contains, type Look, type Owned, type Row } from '../../db/table'
import { bind } from '../../http/bind'
import { absent, badRequest, inUse, notFound } from '../../http/problem'
import { guarded, listOf, permit, serve } from '../../http/serve'
import type { Services } from '../../services'
import { carrierChanges, carrierOwner, checkCarrier, homeOf } from './service'

const look = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): Look => ({
  where: [
    ...(name ? [contains(sql`t.name`, name)] : []),
    // An account also uses what its provider keeps for all.
    ...(account_sid ? [sql`(t.account_sid = ${account_sid} or t.account_sid is null)`] : []),
    ...(service_provider_sid ? [sql`t.service_provider_sid = ${service_provider_sid}`] : []),
  ],
})

export const voipCarrierRoutes = (app: FastifyInstance, services: Services, adminCarrier: boolean): void => {
  const { voipCarriers, accounts, providers, quotas } = services

  /** An installation may keep carriers out of its accounts' hands. */
  const mayProvision = (actor: Actor) => {
    if (adminCarrier && actor.scope === 'account') throw badRequest('insufficient privileges')
  }

  const add = async (draft: Row, owner: Owner, voip_carrier_sid: string, actor: Actor) => {
    const { register_status: _, created_at: __, ...values }: Row = { ...draft, ...owner }
    await checkCarrier(values, {}, services)
    await quotas.check('voip_carrier', actor)
    await voipCarriers.add({ ...values, voip_carrier_sid })
  }

  const change = async (before: Owned<VoipCarrier>, body: Row, actor: Actor) => {
    mayProvision(actor)
    const { values, owner } = await carrierChanges(before, body, services)
    // Asked again for the carrier as it would be, so that nothing is moved out of a tenant.
    permit('voip_carrier', 'update', actor, owner)
    if (owner.account_sid !== before.account_sid || owner.service_provider_sid !== before.service_provider_sid) {
      const strangers = await voipCarriers.strangers(before.voip_carrier_sid, owner)
      if (strangers.length > 0) throw inUse('phone numbers of other accounts use this carrier', strangers)
    }
    await voipCarriers.change(before.voip_carrier_sid, values)
  }

  serve(app, voipCarrier, voipCarriers, {
    row,
    create,
    update,
    missing: { read: absent, update: notFound },
    look,
    ownerOf: (draft, actor) => {
      mayProvision(actor)
      return carrierOwner(homeOf(actor, draft), services)
    },
    add: async (draft, sid, actor) => add(draft, await carrierOwner(homeOf(actor, draft), services), sid, actor),
    change,
    remove: async ({ voip_carrier_sid }, actor) => {
      mayProvision(actor)
      const dependents = await voipCarriers.dependents(voip_carrier_sid)
      if (dependents.length > 0) throw inUse(messages.inUse, dependents)
      await voipCarriers.removeWhole(voip_carrier_sid)
    },
  })

  const find = (actor: Actor, sid: string) =>
    guarded({ kind: 'voip_carrier', rows: voipCarriers, missing: { update: notFound } }, 'update', actor, sid)
  const shapes = { query: listQuery, answer: listed(row) }

  bind(app, carriersOfProvider.list, shapes, async ({ params, query, actor }) => {
    await guarded({ kind: 'service_provider', rows: providers }, 'read', actor, params.service_provider_sid)
    return listOf(voipCarriers, 'voip_carrier', { ...query, ...params }, actor, look)
  })
  bind(app, carriersOfProvider.create, { body: create, answer: created }, async ({ params, body, actor }) => {
    await guarded({ kind: 'service_provider', rows: providers }, 'update', actor, params.service_provider_sid)
    const owner = await carrierOwner({ account_sid: body.account_sid, ...params }, services)
    const sid = randomUUID()
    await add(body, owner, sid, actor)
    return { sid }
  })
  bind(app, carriersOfProvider.update, { body: update }, async ({ params, body, actor }) => {
    await guarded({ kind: 'service_provider', rows: providers }, 'update', actor, params.service_provider_sid)
    const before = await find(actor, params.voip_carrier_sid)
    if (before.service_provider_sid !== params.service_provider_sid) throw notFound()
    await change(before, body, actor)
  })

  bind(app, carriersOfAccount.list, shapes, async ({ params, query, actor }) => {
    await guarded({ kind: 'account', rows: accounts }, 'read', actor, params.account_sid)
    return listOf(voipCarriers, 'voip_carrier', query, actor, ({ name }) => ({
      where: [sql`t.account_sid = ${params.account_sid}`, ...(name ? [contains(sql`t.name`, name)] : [])],
    }))
  })
  bind(app, carriersOfAccount.create, { body: create, answer: created }, async ({ params, body, actor }) => {
    mayProvision(actor)
    await guarded({ kind: 'account', rows: accounts }, 'update', actor, params.account_sid)
    const sid = randomUUID()
    await add(body, await carrierOwner(params, services), sid, actor)
    return { sid }
  })
  bind(app, carriersOfAccount.update, { body: update }, async ({ params, body, actor }) => {
    await guarded({ kind: 'account', rows: accounts }, 'update', actor, params.account_sid)
    const before = await find(actor, params.voip_carrier_sid)
    if (before.account_sid !== params.account_sid) throw notFound()
    await change(before, body, actor)
  })
}
