import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { lcrCarrierSetEntry } from '@trunkline/contract/resources/lcr'
import { lcrEntryDraftSchema, lcrEntrySchema, lcrEntryChangesSchema } from '@trunkline/contract/shapes/lcr'
import { mountRoute } from '../../http/mount-route'
import { notFound, type Problem } from '../../http/problem'
import { unknownReference } from '../../shared/refusals'
import type { Services } from '../../composition/services'
import { checkCarriers, findPermittedLcr } from '../lcrs/public'

/** The carriers of an LCR route. Their permissions are those of the LCR. */
export const lcrCarrierSetEntryRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'lcrs' | 'lcrRoutes' | 'lcrCarrierSetEntries' | 'accounts' | 'voipCarriers'>,
): void => {
  const { lcrRoutes, lcrCarrierSetEntries: entries } = services
  const unknownRouteProblem = () => unknownReference('lcr_route_sid')

  /** The LCR of a route. Throws unless the actor may do this with it. */
  const findLcrOfRoute = async (
    actor: Actor,
    action: 'read' | 'update',
    lcr_route_sid: string,
    missingProblem: () => Problem,
  ) => {
    const route = await lcrRoutes.find(lcr_route_sid)
    if (!route) throw missingProblem()
    return findPermittedLcr(services, actor, action, route.lcr_sid, missingProblem)
  }

  const findPermittedEntry = async (actor: Actor, action: 'read' | 'update', sid: string) => {
    const entry = await entries.find(sid)
    if (!entry) throw notFound()
    return { entry, lcr: await findLcrOfRoute(actor, action, entry.lcr_route_sid, notFound) }
  }

  const listQuery = z.looseObject({
    lcr_route_sid: z.string('missing lcr_route_sid').min(1, 'missing lcr_route_sid'),
  })
  mountRoute(
    app,
    lcrCarrierSetEntry.list,
    { query: listQuery, response: z.array(lcrEntrySchema) },
    async ({ query: { lcr_route_sid }, actor }) => {
      await findLcrOfRoute(actor, 'read', lcr_route_sid, unknownRouteProblem)
      return entries.listByRoutes([lcr_route_sid])
    },
  )

  mountRoute(
    app,
    lcrCarrierSetEntry.read,
    { response: lcrEntrySchema, requiresWellFormedSids: false },
    async ({ params, actor }) => {
      return (await findPermittedEntry(actor, 'read', params.lcr_carrier_set_entry_sid)).entry
    },
  )

  mountRoute(
    app,
    lcrCarrierSetEntry.create,
    { body: lcrEntryDraftSchema, response: createdResponseSchema },
    async ({ body, actor }) => {
      const { lcr_route_sid, voip_carrier_sid } = body
      const lcr = await findLcrOfRoute(actor, 'update', lcr_route_sid, unknownRouteProblem)
      await checkCarriers({ ...lcr, actor }, [{ voip_carrier_sid, field: 'voip_carrier_sid' }], services)
      return { sid: await entries.insert(lcr_route_sid, body) }
    },
  )

  mountRoute(
    app,
    lcrCarrierSetEntry.update,
    { body: lcrEntryChangesSchema, requiresWellFormedSids: false },
    async ({ params, body, actor }) => {
      const { entry, lcr } = await findPermittedEntry(actor, 'update', params.lcr_carrier_set_entry_sid)
      const updatedEntry = { ...entry, ...body }
      const targetLcr =
        updatedEntry.lcr_route_sid === entry.lcr_route_sid
          ? lcr
          : await findLcrOfRoute(actor, 'update', updatedEntry.lcr_route_sid, unknownRouteProblem)
      const { voip_carrier_sid } = updatedEntry
      await checkCarriers({ ...targetLcr, actor }, [{ voip_carrier_sid, field: 'voip_carrier_sid' }], services)
      await (targetLcr.lcr_sid === lcr.lcr_sid ? entries.update(updatedEntry) : entries.moveToOtherLcr(updatedEntry))
    },
  )

  mountRoute(app, lcrCarrierSetEntry.remove, { requiresWellFormedSids: false }, async ({ params, actor }) => {
    const { entry } = await findPermittedEntry(actor, 'update', params.lcr_carrier_set_entry_sid)
    await entries.remove(entry.lcr_carrier_set_entry_sid)
  })
}
