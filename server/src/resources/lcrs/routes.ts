import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { listQuery } from '@trunkline/contract/kit/fields'
import { messages as refusals } from '@trunkline/contract/messages/refusal'
import { addRoutes, lcr, saveRoutes } from '@trunkline/contract/resources/lcr'
import { create, routeList, row, update, type RouteList } from '@trunkline/contract/shapes/lcr'
import { containsText, type ListOptions } from '../../db/repository'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound } from '../../http/problem'
import { findPermitted, resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../services'
import { unknownReference } from '../../shared/refusals'
import { checkCarriers, checkOwnerHasNoLcr, findLcr, resolveOwner, type CarrierReference } from './rules'

/** Bytes, enough for several thousand routes. */
const bodyLimit = 2 * 1024 * 1024

const listOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  where: [
    ...(name ? [containsText(sql`t.name`, name)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
    // For a provider, administrators see its own LCR and those of its accounts.
    ...(service_provider_sid
      ? [
          sql`(t.service_provider_sid = ${service_provider_sid} or t.account_sid in
            (select account_sid from accounts where service_provider_sid = ${service_provider_sid}))`,
        ]
      : []),
  ],
})

const unknownLcr = () => badRequest(refusals.unknown('lcr_sid'))

export const lcrRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs } = services

  /** Checks that the default is a carrier of one of the LCR's routes. */
  const checkDefault = async (lcr_sid: string, entry_sid: unknown) => {
    if (typeof entry_sid !== 'string') return
    const entry = await lcrs.entry(entry_sid)
    const route = entry && (await lcrs.route(entry.lcr_route_sid))
    if (route?.lcr_sid !== lcr_sid) throw unknownReference('default_carrier_set_entry_sid')
  }

  /** `pathPrefix` is the path of the list in the body. */
  const carrierReferences = (list: RouteList, pathPrefix = '') =>
    list.flatMap(({ lcr_carrier_set_entries }, routeIndex) =>
      lcr_carrier_set_entries.map(({ voip_carrier_sid }, entryIndex): CarrierReference => [
        voip_carrier_sid,
        `${pathPrefix}${routeIndex}.lcr_carrier_set_entries.${entryIndex}.voip_carrier_sid`,
      ]),
    )

  mountRoute(app, lcr.read, { response: row, checkSids: false }, async ({ params, actor }) => {
    const stored = await findPermitted(
      { kind: 'lcr', rows: lcrs, missing: { read: notFound } },
      'read',
      actor,
      params.lcr_sid,
    )
    return { ...stored, version: await lcrs.version(stored.lcr_sid) }
  })

  resourceRoutes(app, lcr, lcrs, {
    actions: ['list', 'create', 'update', 'remove'],
    bodyLimit,
    rowSchema: row,
    createBody: create,
    updateBody: update,
    checkSids: false,
    missing: {
      update: unknownLcr,
      remove: (_, { scope }) => (scope === 'account' ? unknownLcr() : notFound()),
    },
    listOptions: listOptions,
    ownerOf: (draft, actor) => resolveOwner(draft, actor, services),
    insertRow: async ({ number_routes: _, routes, ...draft }, lcr_sid, actor) => {
      const owner = await resolveOwner(draft, actor, services)
      await checkDefault(lcr_sid, draft.default_carrier_set_entry_sid)
      const list = routes as RouteList | undefined
      await checkCarriers({ owner, actor }, carrierReferences(list ?? [], 'routes.'), services)
      await lcrs.insertWithRoutes({ ...draft, ...owner, lcr_sid }, list, (tx) =>
        checkOwnerHasNoLcr(owner, services, lcr_sid, tx),
      )
    },
    updateRow: async (current, { number_routes: _, routes, version, ...changes }, actor) => {
      // The owner changes only if the body names one.
      const namesOwner = Boolean(changes.account_sid) || Boolean(changes.service_provider_sid)
      const owner = namesOwner && actor.scope === 'admin' ? await resolveOwner(changes, actor, services) : current.owner
      await checkDefault(current.lcr_sid, changes.default_carrier_set_entry_sid)
      const list = routes as RouteList | undefined
      const { lcr_sid } = current
      await checkCarriers({ owner, actor, lcr_sid }, carrierReferences(list ?? [], 'routes.'), services)
      await lcrs.updateWithRoutes(
        current.lcr_sid,
        { ...changes, ...owner },
        list,
        version as string | undefined,
        async (tx) => {
          if (owner !== current.owner) await checkOwnerHasNoLcr(owner, services, current.lcr_sid, tx)
        },
      )
    },
    remove: ({ lcr_sid }) => lcrs.removeWithRoutes(lcr_sid),
  })

  const shapes = { body: routeList, checkSids: false, bodyLimit }
  mountRoute(app, addRoutes, shapes, async ({ params, body, actor }) => {
    const stored = await findLcr(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers({ ...stored, actor }, carrierReferences(body), services)
    await lcrs.save(
      stored.lcr_sid,
      body.map((route) => ({ ...route, lcr_route_sid: null })),
    )
  })
  mountRoute(app, saveRoutes, shapes, async ({ params, body, actor }) => {
    const stored = await findLcr(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers({ ...stored, actor }, carrierReferences(body), services)
    await lcrs.save(stored.lcr_sid, body)
  })
}
