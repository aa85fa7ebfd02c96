import { messages } from '@trunkline/contract/messages/lcr'
import { messages as routeMessages } from '@trunkline/contract/messages/lcr-route'
import { addRoutes, lcr, lcrRoute, saveRoutes } from '@trunkline/contract/resources/lcr'
import type { Lcr, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import { separateDefaultRoute } from './default-route'
import { fetchRecord, saveRecord } from '../../kit/record/record'
import { request } from '../../lib/client'
import { requestList } from '../../lib/request-list'
import { Problem } from '../../lib/problem'
import type { LcrWithRoutes } from './values'

/** Fills in the pattern and the carriers of a route: another server may omit them. */
const fillMissingColumns = (route: LcrRoute): LcrRoute => ({
  ...route,
  regex: route.regex ?? '',
  lcr_carrier_set_entries: route.lcr_carrier_set_entries ?? [],
})

const listRoutes = async (lcr_sid: string, signal?: AbortSignal): Promise<LcrRoute[]> => {
  const { rows } = await requestList(lcrRoute.list, { query: { lcr_sid }, signal })
  return rows
    .map(fillMissingColumns)
    .toSorted((a, b) => a.priority - b.priority || a.lcr_route_sid.localeCompare(b.lcr_route_sid))
}

/**
 * Reads the routes of an LCR that was read before, and adds them to it. A change in between makes the version outdated,
 * and the save detects the conflict; the other order would hide the change. If the server returns no version, the data
 * that was read serves as one.
 */
export const attachRoutes = async (lcrRow: Lcr, signal?: AbortSignal): Promise<LcrWithRoutes> => {
  const routes = await listRoutes(lcrRow.lcr_sid, signal)
  return { ...lcrRow, routes, version: lcrRow.version ?? JSON.stringify([lcrRow, routes]) }
}

export const readLcrWithRoutes = async (sid: string): Promise<LcrWithRoutes> =>
  attachRoutes(await fetchRecord(lcr, sid))

/** Deletes a stored route. Ignores a 404: someone else has already deleted it. */
export const removeRoute = async (lcr_route_sid: string): Promise<void> => {
  try {
    await request(lcrRoute.remove, { params: { lcr_route_sid } })
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error
  }
}

type RouteBody = RouteList[number]

/** Removes the SIDs of a route that someone else has deleted meanwhile, so that it is added again. */
const stripSids = (route: RouteBody): RouteBody => ({
  ...route,
  lcr_route_sid: '',
  lcr_carrier_set_entries: route.lcr_carrier_set_entries.map(({ lcr_carrier_set_entry_sid: _, ...entry }) => ({
    ...entry,
    lcr_route_sid: '',
  })),
})

/**
 * Deletes the stored routes that the list omits, for servers that do not. The default route cannot be deleted while the
 * LCR refers to it, so it is updated instead. Returns the list to send.
 */
const removeOmittedRoutes = async (storedLcr: LcrWithRoutes, routesToSave: RouteList): Promise<RouteList> => {
  const storedSids = new Set(storedLcr.routes.map(({ lcr_route_sid }) => lcr_route_sid))
  const validRoutes = routesToSave.map((route) =>
    storedSids.has(route.lcr_route_sid ?? '') ? route : stripSids(route),
  )
  const sentSids = new Set(validRoutes.map(({ lcr_route_sid }) => lcr_route_sid))
  const { orderedRoutes: ordered, defaultRoute: storedDefaultRoute } = separateDefaultRoute(
    storedLcr.routes,
    storedLcr.default_carrier_set_entry_sid,
  )
  for (const { lcr_route_sid } of ordered) if (!sentSids.has(lcr_route_sid)) await removeRoute(lcr_route_sid)
  const entry = storedDefaultRoute?.lcr_carrier_set_entries[0]
  if (!storedDefaultRoute || !entry || sentSids.has(storedDefaultRoute.lcr_route_sid)) return validRoutes
  const lastRoute = validRoutes.at(-1)!
  const [firstEntry] = lastRoute.lcr_carrier_set_entries
  const carriers = [{ ...entry, voip_carrier_sid: firstEntry!.voip_carrier_sid }]
  return [
    ...validRoutes.slice(0, -1),
    { ...lastRoute, lcr_route_sid: storedDefaultRoute.lcr_route_sid, lcr_carrier_set_entries: carriers },
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
 * Maps the error of an unusable carrier to the field of its route. The last route is the default route. Some servers do
 * not name the field.
 */
const mapErrorToFormPath = (error: unknown, routes: RouteList): unknown => {
  if (!(error instanceof Problem) || error.msg !== 'unknown voip_carrier_sid') return error
  const index = /^(?:routes\.)?(\d+)\./.exec(error.field ?? '')?.[1]
  const field = index === String(routes.length - 1) ? 'default_voip_carrier_sid' : `routes.${index}.voip_carrier_sid`
  return new Problem(error.status, { msg: routeMessages.carrierUnusable, ...(index === undefined ? {} : { field }) })
}

const saveInOneRequest = ({ sid, body, routes, version }: LcrSave): Promise<string> =>
  saveRecord(
    lcr,
    sid === undefined
      ? { draft: { ...body, routes } }
      : { sid, changes: { ...body, routes, ...(version ? { version } : {}) } },
  )

/**
 * Saves an LCR with its routes. If the server cannot save all in one request, saves the LCR and then the routes. In the
 * latter case, it first checks whether someone else has changed the data, and remembers a created LCR, so that a retry
 * does not create another.
 */
export const createLcrSaver = () => {
  let createdSid: string | undefined
  /** The version after a partial save by this saver, which must not count as someone else's change. */
  let versionAfterFailure: string | undefined

  const writeLcr = async (storedLcr: LcrWithRoutes, { body, routes }: LcrSave) => {
    const { lcr_sid } = storedLcr
    await saveRecord(lcr, { sid: lcr_sid, changes: body })
    await request(saveRoutes, { params: { lcr_sid }, body: await removeOmittedRoutes(storedLcr, routes) })
  }

  const saveSeparately = async (lcrSave: LcrSave): Promise<string> => {
    const { sid = createdSid, version, body, routes } = lcrSave
    if (sid === undefined) {
      createdSid = await saveRecord(lcr, { draft: body })
      await request(addRoutes, { params: { lcr_sid: createdSid }, body: routes })
      return createdSid
    }
    const storedLcr = await readLcrWithRoutes(sid)
    if (version && ![version, versionAfterFailure].includes(storedLcr.version))
      throw new Problem(409, { msg: messages.changedMeanwhile })
    try {
      await writeLcr(storedLcr, lcrSave)
    } catch (error) {
      versionAfterFailure = await readLcrWithRoutes(sid).then(
        (storedLcrAfterFailure) => storedLcrAfterFailure.version,
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
