import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { createdResponseSchema, listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import { sharedRecordsSid } from '@trunkline/contract/kit/page'
import type { Actor } from '@trunkline/contract/policy/actor'
import { carriersOfAccount, carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import {
  voipCarrierDraftSchema,
  voipCarrierSchema,
  voipCarrierChangesSchema,
} from '@trunkline/contract/shapes/voip-carrier'
import { containsText, type ListOptions } from '../../db/repository'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, notFound } from '../../http/problem'
import { findPermitted, listRecords, resourceRoutes } from '../../http/resource-routes'
import { createCarrierWriter, type CarrierWriter, type CarrierServices, type CarrierSettings } from './writer'
import { defaultOwner, resolveCarrierOwner } from './rules'

/** The maximum size of a body in bytes: enough for 300 gateways of each kind. */
const bodyLimit = 512 * 1024

const getListOptions = ({
  name,
  account_sid,
  service_provider_sid,
}: z.output<typeof listQuerySchema>): ListOptions => ({
  text: name ? containsText(sql`t.name`, name) : undefined,
  where: [
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

const findUpdatableCarrier = (voipCarriers: CarrierServices['voipCarriers'], actor: Actor, voip_carrier_sid: string) =>
  findPermitted(
    { kind: 'voip_carrier', repository: voipCarriers, missing: { update: notFound } },
    'update',
    actor,
    voip_carrier_sid,
  )

const listSchemas = { query: listQuerySchema, response: listResponseSchema(voipCarrierSchema) }
const createSchemas = { body: voipCarrierDraftSchema, response: createdResponseSchema, bodyLimit }
const updateSchemas = { body: voipCarrierChangesSchema, bodyLimit }

/** Carriers have three families of paths: without a tenant, of a provider and of an account. */
export const voipCarrierRoutes = (app: FastifyInstance, services: CarrierServices, settings: CarrierSettings): void => {
  const writer = createCarrierWriter(services, settings)
  carrierRoutes(app, services, writer)
  providerCarrierRoutes(app, services, writer)
  accountCarrierRoutes(app, services, writer)
}

const carrierRoutes = (app: FastifyInstance, services: CarrierServices, writer: CarrierWriter): void => {
  const { voipCarriers } = services

  mountRoute(app, voipCarrier.read, { response: voipCarrierSchema }, async ({ params, actor }) => {
    const carrier = await findPermitted(
      { kind: 'voip_carrier', repository: voipCarriers, missing: { read: notFoundWithoutBody } },
      'read',
      actor,
      params.voip_carrier_sid,
    )
    return { ...carrier, version: await writer.computeVersion(carrier.voip_carrier_sid) }
  })

  resourceRoutes(app, voipCarrier, voipCarriers, {
    actions: ['list', 'create', 'update', 'remove'],
    bodyLimit,
    rowSchema: voipCarrierSchema,
    createBody: voipCarrierDraftSchema,
    updateBody: voipCarrierChangesSchema,
    missing: { update: notFound },
    listOptions: getListOptions,
    ownerOf: (draft, actor) => {
      writer.checkMayWrite(actor)
      return resolveCarrierOwner(defaultOwner(actor, draft), services)
    },
    insertRow: async (draft, sid, actor) =>
      writer.create(draft, await resolveCarrierOwner(defaultOwner(actor, draft), services), sid, actor),
    updateRow: (current, changes, actor) => writer.update(current, changes, actor),
    remove: (carrier, actor) => writer.remove(carrier, actor),
  })
}

const providerCarrierRoutes = (app: FastifyInstance, services: CarrierServices, writer: CarrierWriter): void => {
  const { voipCarriers, providers } = services
  const authorizeProvider = (actor: Actor, action: 'read' | 'update', service_provider_sid: string) =>
    findPermitted({ kind: 'service_provider', repository: providers }, action, actor, service_provider_sid)

  mountRoute(app, carriersOfProvider.list, listSchemas, async ({ params, query, actor }) => {
    await authorizeProvider(actor, 'read', params.service_provider_sid)
    return listRecords(voipCarriers, 'voip_carrier', { ...query, ...params }, actor, getListOptions)
  })
  mountRoute(app, carriersOfProvider.create, createSchemas, async ({ params, body, actor }) => {
    await authorizeProvider(actor, 'update', params.service_provider_sid)
    const owner = await resolveCarrierOwner({ account_sid: body.account_sid, ...params }, services)
    const sid = randomUUID()
    await writer.create(body, owner, sid, actor)
    return { sid }
  })
  mountRoute(app, carriersOfProvider.update, updateSchemas, async ({ params, body, actor }) => {
    await authorizeProvider(actor, 'update', params.service_provider_sid)
    const current = await findUpdatableCarrier(voipCarriers, actor, params.voip_carrier_sid)
    if (current.service_provider_sid !== params.service_provider_sid) throw notFound()
    await writer.update(current, body, actor)
  })
}

const accountCarrierRoutes = (app: FastifyInstance, services: CarrierServices, writer: CarrierWriter): void => {
  const { voipCarriers, accounts } = services
  const authorizeAccount = (actor: Actor, action: 'read' | 'update', account_sid: string) =>
    findPermitted({ kind: 'account', repository: accounts }, action, actor, account_sid)

  mountRoute(app, carriersOfAccount.list, listSchemas, async ({ params, query, actor }) => {
    await authorizeAccount(actor, 'read', params.account_sid)
    return listRecords(voipCarriers, 'voip_carrier', query, actor, ({ name }) => ({
      where: [sql`t.account_sid = ${params.account_sid}`],
      text: name ? containsText(sql`t.name`, name) : undefined,
    }))
  })
  mountRoute(app, carriersOfAccount.create, createSchemas, async ({ params, body, actor }) => {
    writer.checkMayWrite(actor)
    await authorizeAccount(actor, 'update', params.account_sid)
    const sid = randomUUID()
    await writer.create(body, await resolveCarrierOwner(params, services), sid, actor)
    return { sid }
  })
  mountRoute(app, carriersOfAccount.update, updateSchemas, async ({ params, body, actor }) => {
    await authorizeAccount(actor, 'update', params.account_sid)
    const current = await findUpdatableCarrier(voipCarriers, actor, params.voip_carrier_sid)
    if (current.account_sid !== params.account_sid) throw notFound()
    await writer.update(current, body, actor)
  })
}
