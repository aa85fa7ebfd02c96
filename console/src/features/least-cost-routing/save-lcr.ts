import { messages } from '@trunkline/contract/messages/lcr'
import { addRoutes, lcr, lcrRoute, saveRoutes } from '@trunkline/contract/resources/lcr'
import type { Lcr, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import { splitDefault } from '@trunkline/contract/telephony/lcr'
import { fetchRecord, saveRecord } from '../../kit/record/record'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { WholeTable } from './values'

const routesOf = async (lcr_sid: string, signal?: AbortSignal): Promise<LcrRoute[]> => {
  const answer = await request(lcrRoute.list, { query: { lcr_sid }, signal })
  const routes = Array.isArray(answer) ? answer : answer.data
  return routes.toSorted(
    (one, other) => one.priority - other.priority || one.lcr_route_sid.localeCompare(other.lcr_route_sid),
  )
}

/**
 * Adds the routes to an LCR that was read before them: a change in between makes the version outdated, which is safe;
 * the other order would hide the change. If the server returns no version, the data that was read serves as one.
 */
export const withRoutes = async (table: Lcr, signal?: AbortSignal): Promise<WholeTable> => {
  const routes = await routesOf(table.lcr_sid, signal)
  return { ...table, routes, version: table.version ?? JSON.stringify([table, routes]) }
}

export const wholeTable = async (sid: string): Promise<WholeTable> => withRoutes(await fetchRecord(lcr, sid))

/** Deletes a stored route. Ignores a 404: someone else has already deleted it. */
export const removeRoute = async (lcr_route_sid: string): Promise<void> => {
  try {
    await request(lcrRoute.remove, { params: { lcr_route_sid } })
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error
  }
}

type Sent = RouteList[number]

/** Prepares a route that someone else has deleted meanwhile, so that it is added again. */
const asNew = (route: Sent): Sent => ({
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
const clearOthers = async (stored: WholeTable, asked: RouteList): Promise<RouteList> => {
  const known = new Set(stored.routes.map(({ lcr_route_sid }) => lcr_route_sid))
  const list = asked.map((route) => (known.has(route.lcr_route_sid ?? '') ? route : asNew(route)))
  const kept = new Set(list.map(({ lcr_route_sid }) => lcr_route_sid))
  const { ordered, fallback } = splitDefault(stored.routes, stored.default_carrier_set_entry_sid)
  for (const { lcr_route_sid } of ordered) if (!kept.has(lcr_route_sid)) await removeRoute(lcr_route_sid)
  const entry = fallback?.lcr_carrier_set_entries[0]
  if (!fallback || !entry || kept.has(fallback.lcr_route_sid)) return list
  const last = list.at(-1)!
  const [first] = last.lcr_carrier_set_entries
  const carriers = [{ ...entry, voip_carrier_sid: first!.voip_carrier_sid }]
  return [...list.slice(0, -1), { ...last, lcr_route_sid: fallback.lcr_route_sid, lcr_carrier_set_entries: carriers }]
}

/** The data of one save. */
interface WholeSave {
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
const atRoute = (error: unknown, routes: RouteList): unknown => {
  if (!(error instanceof Problem) || error.msg !== 'unknown voip_carrier_sid') return error
  const at = /^(?:routes\.)?(\d+)\./.exec(error.field ?? '')?.[1]
  const field = at === String(routes.length - 1) ? 'default_voip_carrier_sid' : `routes.${at}.voip_carrier_sid`
  return new Problem(error.status, { msg: messages.carrierUnusable, ...(at === undefined ? {} : { field }) })
}

const atOnce = ({ sid, body, routes, version }: WholeSave): Promise<string> =>
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
export const makeSaver = () => {
  let made: string | undefined
  /** The stored version after this saver's own partial save, which must not count as someone else's change. */
  let left: string | undefined

  const write = async (stored: WholeTable, { body, routes }: WholeSave) => {
    const { lcr_sid } = stored
    await saveRecord(lcr, { sid: lcr_sid, changes: body })
    await request(saveRoutes, { params: { lcr_sid }, body: await clearOthers(stored, routes) })
  }

  const oneByOne = async (saving: WholeSave): Promise<string> => {
    const { sid = made, version, body, routes } = saving
    if (sid === undefined) {
      made = await saveRecord(lcr, { draft: body })
      await request(addRoutes, { params: { lcr_sid: made }, body: routes })
      return made
    }
    const stored = await wholeTable(sid)
    if (version && ![version, left].includes(stored.version)) throw new Problem(409, { msg: messages.changedMeanwhile })
    try {
      await write(stored, saving)
    } catch (error) {
      left = await wholeTable(sid).then(
        (now) => now.version,
        () => undefined,
      )
      throw error
    }
    return sid
  }

  return (saving: WholeSave, whole: boolean) =>
    (whole ? atOnce(saving) : oneByOne(saving)).catch((error: unknown) => {
      throw atRoute(error, saving.routes)
    })
}
