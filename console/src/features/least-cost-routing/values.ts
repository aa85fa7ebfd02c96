import { messages } from '@trunkline/contract/messages/lcr-route'
import type { Lcr, LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { findPatternError } from '@trunkline/contract/telephony/route-pattern'
import { newDefaultRoute } from '@trunkline/contract/telephony/lcr'
import { separateDefaultRoute } from './default-route'
import { getChangedFields } from '../../kit/form/changed-fields'
import type { FieldErrors } from '../../kit/form/form'

/** An LCR with its routes, as the form reads it. */
export type LcrWithRoutes = Lcr & { routes: LcrRoute[] }

/** The form values of one route. */
export interface RouteValues {
  /** Identifies the row independently of its position. */
  key: string
  /** Empty if the route is not stored yet. */
  lcr_route_sid: string
  regex: string
  description: string | null
  /** The first carrier of the route, which takes the call. */
  voip_carrier_sid: string | null
  /** The stored carriers; those after the first stay unchanged. */
  entries: LcrCarrierSetEntry[]
}

/** The form values of an LCR. A type, not an interface: the form library requires an index signature. */
export type LcrValues = {
  name: string
  is_active: number
  account_sid: string | null
  default_voip_carrier_sid: string | null
  routes: RouteValues[]
  /** The stored default route. It has no field of its own. */
  storedDefaultRoute: Pick<RouteValues, 'lcr_route_sid' | 'entries'>
  /** The version that was read, to detect changes by others. No field. */
  version: string | undefined
}

const noDefaultRoute: LcrValues['storedDefaultRoute'] = { lcr_route_sid: '', entries: [] }

export const createEmptyRoute = (): RouteValues => ({
  key: crypto.randomUUID(),
  lcr_route_sid: '',
  regex: '',
  description: null,
  voip_carrier_sid: null,
  entries: [],
})

const toRouteValues = (route: LcrRoute): RouteValues => ({
  key: route.lcr_route_sid || crypto.randomUUID(),
  lcr_route_sid: route.lcr_route_sid,
  regex: route.regex,
  description: route.description,
  voip_carrier_sid: route.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
  entries: route.lcr_carrier_set_entries,
})

/** Returns the form's initial values. `account_sid`: the owner of a new LCR. */
export const toLcrValues = (lcr: LcrWithRoutes | undefined, account_sid: string | null): LcrValues => {
  const newLcr = { name: '', is_active: 1, account_sid, default_voip_carrier_sid: null }
  if (!lcr) return { ...newLcr, routes: [createEmptyRoute()], storedDefaultRoute: noDefaultRoute, version: undefined }
  const { orderedRoutes: ordered, defaultRoute: storedDefault } = separateDefaultRoute(
    lcr.routes,
    lcr.default_carrier_set_entry_sid,
  )
  return {
    name: lcr.name ?? '',
    is_active: lcr.is_active,
    // some servers store an empty string instead of null
    account_sid: lcr.account_sid || null,
    default_voip_carrier_sid: storedDefault?.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
    routes: ordered.map(toRouteValues),
    storedDefaultRoute: storedDefault
      ? { lcr_route_sid: storedDefault.lcr_route_sid, entries: storedDefault.lcr_carrier_set_entries }
      : noDefaultRoute,
    version: lcr.version,
  }
}

/**
 * The form's initial values without a deleted route. `storedValues`: the LCR as stored now. If it differs in anything
 * else, someone else has changed the LCR: the old version stays, so that a save detects the conflict.
 */
export const removeRouteFromValues = (
  initialValues: LcrValues,
  lcr_route_sid: string,
  storedValues: LcrValues | undefined,
): LcrValues => {
  const remainingValues = {
    ...initialValues,
    routes: initialValues.routes.filter((row) => row.lcr_route_sid !== lcr_route_sid),
  }
  if (!storedValues) return remainingValues
  const changedNames = Object.keys(getChangedFields(remainingValues, storedValues))
  const isUpToDate = changedNames.every((name) => name === 'version')
  return isUpToDate ? { ...remainingValues, version: storedValues.version } : remainingValues
}

/** Prepares a copy: without SIDs of routes, so that they are stored as new ones, and without version and account. */
export const prepareLcrCopy = (lcr: LcrWithRoutes, name: string): LcrWithRoutes => ({
  ...lcr,
  name,
  account_sid: null,
  version: undefined,
  routes: lcr.routes.map((route) => ({ ...route, lcr_route_sid: '' })),
})

type OwnedCarrier = Pick<VoipCarrier, 'account_sid' | 'voip_carrier_sid'>

/** The carriers that an account's LCR may use, or a provider's if `account_sid` is null. */
export const listUsableCarrierSids = (
  account_sid: string | null,
  carriers: readonly OwnedCarrier[],
): ReadonlySet<string> =>
  new Set(
    carriers.filter((carrier) => isCarrierUsable(carrier, account_sid)).map((carrier) => carrier.voip_carrier_sid),
  )

/** Drops unusable carriers except the first, which the user can see and replace. */
export const dropUnusableEntries = <Entry extends { voip_carrier_sid: string }>(
  entries: readonly Entry[],
  usableSids: ReadonlySet<string>,
): Entry[] => entries.filter((entry, index) => index === 0 || usableSids.has(entry.voip_carrier_sid))

/** Drops the hidden carriers that a copy may not use. */
export const dropUnusableCarriers = (lcr: LcrWithRoutes, usableSids: ReadonlySet<string>): LcrWithRoutes => ({
  ...lcr,
  routes: lcr.routes.map((route) => ({
    ...route,
    lcr_carrier_set_entries: dropUnusableEntries(route.lcr_carrier_set_entries, usableSids),
  })),
})

type RouteBody = RouteList[number]

const toNewEntry = ({ voip_carrier_sid, workload, priority }: LcrCarrierSetEntry) => ({
  voip_carrier_sid,
  workload,
  priority,
  lcr_route_sid: '',
})

const toEntriesBody = (
  [firstEntry, ...otherEntries]: LcrCarrierSetEntry[],
  isStored: boolean,
  voip_carrier_sid: string,
) => {
  if (!firstEntry) return [{ voip_carrier_sid, priority: 0, lcr_route_sid: '' }]
  const entries = [{ ...firstEntry, voip_carrier_sid }, ...otherEntries]
  return isStored ? entries : entries.map(toNewEntry)
}

/**
 * Sends a stored route without carriers as a new route, because servers ignore a carrier that is added to a stored
 * route.
 */
const getSidToSend = ({ lcr_route_sid, entries }: Pick<RouteValues, 'lcr_route_sid' | 'entries'>) =>
  entries.length > 0 ? lcr_route_sid : ''

/** The routes to send: the index is the priority, and the default route is last. */
export const listRoutesToSend = ({ routes, storedDefaultRoute, default_voip_carrier_sid }: LcrValues): RouteList => [
  ...routes.map<RouteBody>((row, priority) => ({
    lcr_route_sid: getSidToSend(row),
    regex: row.regex.trim(),
    ...(row.description === null ? {} : { description: row.description }),
    priority,
    lcr_carrier_set_entries: toEntriesBody(row.entries, getSidToSend(row) !== '', row.voip_carrier_sid ?? ''),
  })),
  {
    ...newDefaultRoute,
    lcr_route_sid: getSidToSend(storedDefaultRoute),
    lcr_carrier_set_entries: toEntriesBody(
      storedDefaultRoute.entries,
      getSidToSend(storedDefaultRoute) !== '',
      default_voip_carrier_sid ?? '',
    ),
  },
]

/** Returns the errors of one route. */
export const findRouteErrors = ({ regex, voip_carrier_sid }: Pick<RouteValues, 'regex' | 'voip_carrier_sid'>) => ({
  regex: regex.trim() === '' ? messages.patternMissing : findPatternError(regex.trim()),
  voip_carrier_sid: voip_carrier_sid === null ? messages.carrierMissing : undefined,
})

/** Returns the errors of all routes by form path. `carriers`: all carriers, or undefined if not loaded yet. */
export const findLcrErrors = (
  { account_sid, default_voip_carrier_sid, routes }: LcrValues,
  carriers: readonly OwnedCarrier[] | undefined,
): FieldErrors => {
  const usableSids = carriers && listUsableCarrierSids(account_sid, carriers)
  const findUnusableError = (sid: string | null) =>
    sid && usableSids?.has(sid) === false ? messages.carrierUnusable : undefined
  const errors: [string, string | undefined][] = routes.flatMap((row, index) => {
    const { regex, voip_carrier_sid = findUnusableError(row.voip_carrier_sid) } = findRouteErrors(row)
    return [
      [`routes.${index}.regex`, regex],
      [`routes.${index}.voip_carrier_sid`, voip_carrier_sid],
    ] satisfies [string, string | undefined][]
  })
  errors.push(['default_voip_carrier_sid', findUnusableError(default_voip_carrier_sid)])
  return Object.fromEntries(errors.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Returns whether an owner's LCR may use this carrier. An account may use its own and its provider's. */
export const isCarrierUsable = (carrier: Pick<VoipCarrier, 'account_sid'>, account_sid: string | null): boolean =>
  !carrier.account_sid || carrier.account_sid === account_sid
