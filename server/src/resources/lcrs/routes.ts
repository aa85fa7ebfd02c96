import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import type { listQuerySchema } from '@trunkline/contract/kit/fields'
import { messages as refusals } from '@trunkline/contract/messages/refusal'
import type { Owner } from '@trunkline/contract/policy/actor'
import { addRoutes, lcr, saveRoutes } from '@trunkline/contract/resources/lcr'
import {
  lcrDraftSchema,
  routeListSchema,
  lcrSchema,
  lcrChangesSchema,
  type RouteList,
} from '@trunkline/contract/shapes/lcr'
import { containsText, type ListOptions } from '../../db/repository'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound } from '../../http/problem'
import { findPermitted, resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { unknownReference } from '../../shared/refusals'
import { checkCarriers, checkOwnerHasNoLcr, findPermittedLcr, resolveOwner, type CarrierReference } from './rules'

/** Fits several thousand routes. */
const maxBodyBytes = 2 * 1024 * 1024

const toListOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuerySchema>): ListOptions => ({
  text: name ? containsText(sql`t.name`, name) : undefined,
  where: [
    ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
    // For a provider: its own LCR and those of its accounts.
    ...(service_provider_sid
      ? [
          sql`(t.service_provider_sid = ${service_provider_sid} or t.account_sid in
            (select account_sid from accounts where service_provider_sid = ${service_provider_sid}))`,
        ]
      : []),
  ],
})

/** Whether this owner differs from the stored one. The stored LCR of an account may also name the provider, which does not count. */
const hasOtherOwner = (current: { owner: Owner }, owner: Owner): boolean =>
  owner.account_sid !== current.owner.account_sid ||
  (!owner.account_sid && owner.service_provider_sid !== current.owner.service_provider_sid)

const unknownLcrProblem = () => badRequest(refusals.unknown('lcr_sid'))

/** The carriers of a list of routes. `pathPrefix` is the path of the list in the body. */
const listCarrierReferences = (routes: RouteList, pathPrefix = '') =>
  routes.flatMap(({ lcr_carrier_set_entries }, routeIndex) =>
    lcr_carrier_set_entries.map(({ voip_carrier_sid }, entryIndex): CarrierReference => ({
      voip_carrier_sid,
      field: `${pathPrefix}${routeIndex}.lcr_carrier_set_entries.${entryIndex}.voip_carrier_sid`,
    })),
  )

/** The API routes that save a list of LCR routes. */
const routeListRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'lcrs' | 'lcrRoutes' | 'accounts' | 'voipCarriers'>,
): void => {
  const { lcrs } = services
  const schemas = { body: routeListSchema, requiresWellFormedSids: false, bodyLimit: maxBodyBytes }

  mountRoute(app, addRoutes, schemas, async ({ params, body, actor }) => {
    const current = await findPermittedLcr(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers({ ...current, actor }, listCarrierReferences(body), services)
    await lcrs.saveRoutes(
      current.lcr_sid,
      body.map((route) => ({ ...route, lcr_route_sid: null })),
    )
  })

  mountRoute(app, saveRoutes, schemas, async ({ params, body, actor }) => {
    const current = await findPermittedLcr(services, actor, 'update', params.lcr_sid, notFound)
    await checkCarriers({ ...current, actor }, listCarrierReferences(body), services)
    await lcrs.saveRoutes(current.lcr_sid, body)
  })
}

/** The API routes for LCRs. (The service `lcrRoutes` stores the call routes of LCRs.) */
export const lcrApiRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'lcrs' | 'lcrRoutes' | 'lcrCarrierSetEntries' | 'accounts' | 'providers' | 'voipCarriers'>,
): void => {
  const { lcrs, lcrRoutes: lcrRouteRepository, lcrCarrierSetEntries: entryRepository } = services

  /** Checks that the default is a carrier of one of the LCR's routes. */
  const checkDefaultEntry = async (lcr_sid: string, entrySid: unknown) => {
    if (typeof entrySid !== 'string') return
    const entry = await entryRepository.find(entrySid)
    const route = entry && (await lcrRouteRepository.find(entry.lcr_route_sid))
    if (route?.lcr_sid !== lcr_sid) throw unknownReference('default_carrier_set_entry_sid')
  }

  /** The carriers that an LCR already uses. `field` is reported if one of them is refused. */
  const listStoredCarrierReferences = async (lcr_sid: string, field: string): Promise<CarrierReference[]> =>
    (await lcrRouteRepository.listByLcr(lcr_sid)).flatMap(({ lcr_carrier_set_entries }) =>
      lcr_carrier_set_entries.map(({ voip_carrier_sid }) => ({ voip_carrier_sid, field })),
    )

  mountRoute(app, lcr.read, { response: lcrSchema, requiresWellFormedSids: false }, async ({ params, actor }) => {
    const source = { kind: 'lcr' as const, repository: lcrs, missing: { read: notFound } }
    const current = await findPermitted(source, 'read', actor, params.lcr_sid)
    return { ...current, version: await lcrs.computeVersion(current.lcr_sid) }
  })

  resourceRoutes(app, lcr, lcrs, {
    actions: ['list', 'create', 'update', 'remove'],
    bodyLimit: maxBodyBytes,
    rowSchema: lcrSchema,
    createBody: lcrDraftSchema,
    updateBody: lcrChangesSchema,
    requiresWellFormedSids: false,
    missing: {
      update: unknownLcrProblem,
      remove: (_, { scope }) => (scope === 'account' ? unknownLcrProblem() : notFound()),
    },
    listOptions: toListOptions,
    ownerOf: (draft, actor) => resolveOwner(draft, actor, services),
    insertRow: async ({ number_routes: _, routes, ...draft }, lcr_sid, actor) => {
      const owner = await resolveOwner(draft, actor, services)
      await checkDefaultEntry(lcr_sid, draft.default_carrier_set_entry_sid)
      const routeDrafts = routes as RouteList | undefined
      await checkCarriers({ owner, actor }, listCarrierReferences(routeDrafts ?? [], 'routes.'), services)
      await lcrs.insertWithRoutes({ ...draft, ...owner, lcr_sid }, routeDrafts, (tx) =>
        checkOwnerHasNoLcr(owner, services, lcr_sid, tx),
      )
    },
    updateRow: async (current, { number_routes: _, routes, version, ...changes }, actor) => {
      const { lcr_sid } = current
      // The owner changes only if the body contains one.
      const hasNewOwner = Boolean(changes.account_sid) || Boolean(changes.service_provider_sid)
      const owner =
        hasNewOwner && actor.scope === 'admin' ? await resolveOwner(changes, actor, services) : current.owner
      await checkDefaultEntry(lcr_sid, changes.default_carrier_set_entry_sid)
      const routeDrafts = routes as RouteList | undefined
      // Without new routes, an LCR takes its routes to a new owner, who may not be allowed to use all their carriers.
      const storedReferences =
        !routeDrafts && hasOtherOwner(current, owner)
          ? await listStoredCarrierReferences(lcr_sid, changes.account_sid ? 'account_sid' : 'service_provider_sid')
          : []
      const references = [...storedReferences, ...listCarrierReferences(routeDrafts ?? [], 'routes.')]
      await checkCarriers({ owner, actor, lcr_sid }, references, services)
      const expectedVersion = version as string | undefined
      await lcrs.updateWithRoutes(
        lcr_sid,
        { ...changes, ...owner },
        { ...(routeDrafts ? { routeDrafts } : {}), ...(expectedVersion === undefined ? {} : { expectedVersion }) },
        async (tx) => {
          if (owner !== current.owner) await checkOwnerHasNoLcr(owner, services, lcr_sid, tx)
        },
      )
    },
    remove: ({ lcr_sid }) => lcrs.removeWithRoutes(lcr_sid),
  })

  routeListRoutes(app, services)
}
