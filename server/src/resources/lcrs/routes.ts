import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { listQuery } from '@trunkline/contract/kit/fields'
import { addRoutes, lcr, saveRoutes } from '@trunkline/contract/resources/lcr'
import { create, routeList, row, update, type RouteList } from '@trunkline/contract/shapes/lcr'
import { containsText, type ListOptions } from '../../db/repository'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound } from '../../http/problem'
import { findPermitted, serve } from '../../http/serve'
import type { Services } from '../../services'
import { checkCarriers, checkOnlyOne, lcrFor, lcrOwner, type NamedCarrier } from './rules'

/** Bytes: some thousand routes. */
const bodyLimit = 2 * 1024 * 1024

const look = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuery>): ListOptions => ({
  where: [
    ...(name ? [containsText(sql`t.name`, name)] : []),
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
    // Of a provider an administrator sees its own table and those of its accounts.
    ...(service_provider_sid
      ? [
          sql`(t.service_provider_sid = ${service_provider_sid} or t.account_sid in
            (select account_sid from accounts where service_provider_sid = ${service_provider_sid}))`,
        ]
      : []),
  ],
})

const unknown = () => badRequest('unknown lcr_sid')

export const lcrRoutes = (app: FastifyInstance, services: Services): void => {
  const { lcrs } = services

  /** The default is a carrier of one of the table's own routes. */
  const checkDefault = async (lcr_sid: string, entry_sid: unknown) => {
    if (typeof entry_sid !== 'string') return
    const entry = await lcrs.entry(entry_sid)
    const route = entry && (await lcrs.route(entry.lcr_route_sid))
    if (route?.lcr_sid !== lcr_sid)
      throw badRequest('unknown default_carrier_set_entry_sid', 'default_carrier_set_entry_sid')
  }

  /** `under`: where the list is in the body. */
  const carriersIn = (list: RouteList, under = '') =>
    list.flatMap(({ lcr_carrier_set_entries }, at) =>
      lcr_carrier_set_entries.map(({ voip_carrier_sid }, place): NamedCarrier => [
        voip_carrier_sid,
        `${under}${at}.lcr_carrier_set_entries.${place}.voip_carrier_sid`,
      ]),
    )

  mountRoute(app, lcr.read, { answer: row, checkSids: false }, async ({ params, actor }) => {
    const found = await findPermitted(
      { kind: 'lcr', rows: lcrs, missing: { read: notFound } },
      'read',
      actor,
      params.lcr_sid,
    )
    return { ...found, version: await lcrs.version(found.lcr_sid) }
  })

  serve(app, lcr, lcrs, {
    actions: ['list', 'create', 'update', 'remove'],
    bodyLimit,
    rowSchema: row,
    createBody: create,
    updateBody: update,
    checkSids: false,
    missing: {
      update: unknown,
      remove: (_, { scope }) => (scope === 'account' ? unknown() : notFound()),
    },
    listOptions: look,
    ownerOf: (draft, actor) => lcrOwner(draft, actor, services),
    insertRow: async ({ number_routes: _, routes, ...draft }, lcr_sid, actor) => {
      const owner = await lcrOwner(draft, actor, services)
      await checkDefault(lcr_sid, draft.default_carrier_set_entry_sid)
      const list = routes as RouteList | undefined
      await checkCarriers({ owner, actor }, carriersIn(list ?? [], 'routes.'), services)
      await lcrs.addWhole({ ...draft, ...owner, lcr_sid }, list, (tx) => checkOnlyOne(owner, services, lcr_sid, tx))
    },
    updateRow: async (before, { number_routes: _, routes, version, ...changes }, actor) => {
      // Whose a table is changes only where the body says so.
      const named = Boolean(changes.account_sid) || Boolean(changes.service_provider_sid)
      const owner = named && actor.scope === 'admin' ? await lcrOwner(changes, actor, services) : before.owner
      await checkDefault(before.lcr_sid, changes.default_carrier_set_entry_sid)
      const list = routes as RouteList | undefined
      const { lcr_sid } = before
      await checkCarriers({ owner, actor, lcr_sid }, carriersIn(list ?? [], 'routes.'), services)
      await lcrs.changeWhole(
        before.lcr_sid,
        { ...changes, ...owner },
        list,
        version as string | undefined,
        async (tx) => {
          if (owner !== before.owner) await checkOnlyOne(owner, services, before.lcr_sid, tx)
        },
      )
    },
    remove: ({ lcr_sid }) => lcrs.removeWhole(lcr_sid),
  })

  const shapes = { body: routeList, checkSids: false, bodyLimit }
  mountRoute(app, addRoutes, shapes, async ({ params, body, actor }) => {
    const found = await lcrFor(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers({ ...found, actor }, carriersIn(body), services)
    await lcrs.save(
      found.lcr_sid,
      body.map((each) => ({ ...each, lcr_route_sid: null })),
    )
  })
  mountRoute(app, saveRoutes, shapes, async ({ params, body, actor }) => {
    const found = await lcrFor(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers({ ...found, actor }, carriersIn(body), services)
    await lcrs.save(found.lcr_sid, body)
  })
}
