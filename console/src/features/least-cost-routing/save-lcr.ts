import { messages } from '@trunkline/contract/messages/lcr'
import { addRoutes, lcr, lcrRoute, saveRoutes } from '@trunkline/contract/resources/lcr'
import type { Lcr, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import { separateDefaultRoute } from '@trunkline/contract/telephony/lcr'
import { fetchRecord, saveRecord } from '../../kit/record/record'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { LcrWithRoutes } from './values'

const listRoutes = async (lcr_sid: string, signal?: AbortSignal): Promise<LcrRoute[]> => {
  const response = await request(lcrRoute.list, { query: { lcr_sid }, signal })
  const routes = Array.isArray(response) ? response : response.data
  return routes.toSorted((a, b) => a.priority - b.priority || a.lcr_route_sid.localeCompare(b.lcr_route_sid))
}

/**
 * Adds the routes to an LCR that was read before them: a change in between makes the version outdated, which is safe;
 * the other order would hide the change. If the server returns no version, the data that was read serves as one.
 */
export const withRoutes = async (table: Lcr, signal?: AbortSignal): Promise<LcrWithRoutes> => {
  const routes = await listRoutes(table.lcr_sid, signal)
  return { ...table, routes, version: table.version ?? JSON.stringify([table, routes]) }
}

export const readLcrWithRoutes = async (sid: string): Promise<LcrWithRoutes> => withRoutes(await fetchRecord(lcr, sid))

/** Deletes a stored route. Ignores a 404: someone else has already deleted it. */
export const removeRoute = async (lcr_route_sid: string): Promise<void> => {
  try {
    await request(lcrRoute.remove, { params: { lcr_route_sid } })
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error
  }
}

type RouteBody = RouteList[number]

/** Prepares a route that someone else has deleted meanwhile, so that it is added again. */
const withoutSids = (route: RouteBody): RouteBody => ({
  ...route,
  lcr_route_sid: '',
  lcr_carrier_set_entries: route.lcr_carrier_set_entries.map(({ lcr_carrier_set_entry_sid: _, ...entry }) => ({
    ...entry,
    lcr_route_sid: '',
  })),
})

/**
 * For servers that do not delete the routes that a saved list omits: deletes them first. The default route cannot be
 * deleted while the LCR refers to it, so it is updated instead. Returns the list to send.
 */
const removeOmittedRoutes = async (stored: LcrWithRoutes, routesToSave: RouteList): Promise<RouteList> => {
  const storedSids = new Set(stored.routes.map(({ lcr_route_sid }) => lcr_route_sid))
  const list = routesToSave.map((route) => (storedSids.has(route.lcr_route_sid ?? '') ? route : withoutSids(route)))
  const keptSids = new Set(list.map(({ lcr_route_sid }) => lcr_route_sid))
  const { ordered, fallback: defaultRoute } = separateDefaultRoute(stored.routes, stored.default_carrier_set_entry_sid)
  for (const { lcr_route_sid } of ordered) if (!keptSids.has(lcr_route_sid)) await removeRoute(lcr_route_sid)
  const entry = defaultRoute?.lcr_carrier_set_entries[0]
  if (!defaultRoute || !entry || keptSids.has(defaultRoute.lcr_route_sid)) return list
  const lastRoute = list.at(-1)!
  const [firstEntry] = lastRoute.lcr_carrier_set_entries
  const carriers = [{ ...entry, voip_carrier_sid: firstEntry!.voip_carrier_sid }]
  return [
    ...list.slice(0, -1),
    { ...lastRoute, lcr_route_sid: defaultRoute.lcr_route_sid, lcr_carrier_set_entries: carriers },
  ]
}

/** The data of one save. */
interface LcrSave {
  /** The LCR; undefined for a new one. */
  sid: string | undefined
  body: object
  routes: RouteList
  /** The version that the form was filled from. */
  version: string | undefined
}

/**
 * Moves an unusable-carrier error to its route's field; the default route is the last. Not every server names the
 * field.
 */
const mapErrorToFormPath = (error: unknown, routes: RouteList): unknown => {
  if (!(error instanceof Problem) || error.msg !== 'unknown voip_carrier_sid') return error
  const index = /^(?:routes\.)?(\d+)\./.exec(error.field ?? '')?.[1]
  const field = index === String(routes.length - 1) ? 'default_voip_carrier_sid' : `routes.${index}.voip_carrier_sid`
  return new Problem(error.status, { msg: messages.carrierUnusable, ...(index === undefined ? {} : { field }) })
}

const saveInOneRequest = ({ sid, body, routes, version }: LcrSave): Promise<string> =>
  saveRecord(
    lcr,
    sid === undefined
      ? { draft: { ...body, routes } }
      : { sid, changes: { ...body, routes, ...(version ? { version } : {}) } },
  )

/**
 * Saves an LCR with its routes: in one request if the server supports it, otherwise the LCR and then the routes. The
 * latter remembers the LCR that it created, so that a retry does not create another, and first checks whether someone
 * else has changed the data.
 */
export const createLcrSaver = () => {
  let createdSid: string | undefined
  /** The stored version after this saver's own partial save, which must not count as someone else's change. */
  let versionAfterFailure: string | undefined

  const writeLcr = async (stored: LcrWithRoutes, { body, routes }: LcrSave) => {
    const { lcr_sid } = stored
    await saveRecord(lcr, { sid: lcr_sid, changes: body })
    await request(saveRoutes, { params: { lcr_sid }, body: await removeOmittedRoutes(stored, routes) })
  }

  const saveSeparately = async (lcrSave: LcrSave): Promise<string> => {
    const { sid = createdSid, version, body, routes } = lcrSave
    if (sid === undefined) {
      createdSid = await saveRecord(lcr, { draft: body })
      await request(addRoutes, { params: { lcr_sid: createdSid }, body: routes })
      return createdSid
    }
    const stored = await readLcrWithRoutes(sid)
    if (version && ![version, versionAfterFailure].includes(stored.version))
      throw new Problem(409, { msg: messages.changedMeanwhile })
    try {
      await writeLcr(stored, lcrSave)
    } catch (error) {
      versionAfterFailure = await readLcrWithRoutes(sid).then(
        (table) => table.version,
        () => undefined,
      )
      throw error
    }
    return sid
  }

  return (lcrSave: LcrSave, canSaveInOneRequest: boolean) =>
    (canSaveInOneRequest ? saveInOneRequest(lcrSave) : saveSeparately(lcrSave)).catch((error: unknown) => {
      throw mapErrorToFormPath(error, lcrSave.routes)
    })
}
