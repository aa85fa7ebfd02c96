import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr, LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { findPatternError } from '@trunkline/contract/telephony/route-pattern'
import { defaultRoute, separateDefaultRoute } from '@trunkline/contract/telephony/lcr'
import { getChangedFields } from '../../kit/form/changed-fields'
import type { FieldErrors } from '../../kit/form/form'

/** An LCR with its routes, as the form reads it. */
export type LcrWithRoutes = Lcr & { routes: LcrRoute[] }

/** The form values of one route. */
export interface RouteValues {
  /** Identifies the row, whatever its position. */
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

/** A type, not an interface: the form library requires an index signature. */
export type LcrValues = {
  name: string
  is_active: number
  account_sid: string | null
  default_voip_carrier_sid: string | null
  routes: RouteValues[]
  /** The stored default route. No field; neither is `version`. */
  storedDefaultRoute: Pick<RouteValues, 'lcr_route_sid' | 'entries'>
  /** The version that was read, to detect changes by others. */
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

const routeValues = (route: LcrRoute): RouteValues => ({
  key: route.lcr_route_sid || crypto.randomUUID(),
  lcr_route_sid: route.lcr_route_sid,
  regex: route.regex,
  description: route.description,
  voip_carrier_sid: route.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
  entries: route.lcr_carrier_set_entries,
})

/** The form's initial values. `account_sid`: the owner of a new LCR. */
export const lcrValues = (table: LcrWithRoutes | undefined, account_sid: string | null): LcrValues => {
  const newLcr = { name: '', is_active: 1, account_sid, default_voip_carrier_sid: null }
  if (!table) return { ...newLcr, routes: [createEmptyRoute()], storedDefaultRoute: noDefaultRoute, version: undefined }
  const { ordered, fallback: defaultRouteRow } = separateDefaultRoute(table.routes, table.default_carrier_set_entry_sid)
  return {
    name: table.name ?? '',
    is_active: table.is_active,
    // some servers store an empty string instead of null
    account_sid: table.account_sid || null,
    default_voip_carrier_sid: defaultRouteRow?.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
    routes: ordered.map(routeValues),
    storedDefaultRoute: defaultRouteRow
      ? { lcr_route_sid: defaultRouteRow.lcr_route_sid, entries: defaultRouteRow.lcr_carrier_set_entries }
      : noDefaultRoute,
    version: table.version,
  }
}

/**
 * The form's initial values without a deleted route. `storedValues`: the current record. If anything else
 * differs, someone else has changed the LCR, and the old version is kept so that a save detects it.
 */
export const valuesWithoutRoute = (
  initialValues: LcrValues,
  lcr_route_sid: string,
  storedValues: LcrValues | undefined,
): LcrValues => {
  const remaining = {
    ...initialValues,
    routes: initialValues.routes.filter((row) => row.lcr_route_sid !== lcr_route_sid),
  }
  const otherChanges = storedValues
    ? Object.keys(getChangedFields(remaining, storedValues)).filter((name) => name !== 'version')
    : ['all']
  return otherChanges.length > 0 ? remaining : { ...remaining, version: storedValues?.version }
}

/** The initial values of a copy: without SIDs, version and account. */
export const copyLcr = (table: LcrWithRoutes, name: string): LcrWithRoutes => ({
  ...table,
  name,
  account_sid: null,
  version: undefined,
  routes: table.routes.map((route) => ({ ...route, lcr_route_sid: '' })),
})

type OwnedCarrier = Pick<VoipCarrier, 'account_sid' | 'voip_carrier_sid'>

/** The carriers that an account's LCR may use, or a provider's if `account_sid` is null. */
export const usableCarrierSids = (account_sid: string | null, carriers: readonly OwnedCarrier[]): ReadonlySet<string> =>
  new Set(carriers.filter((carrier) => isUsable(carrier, account_sid)).map((carrier) => carrier.voip_carrier_sid))

/** Drops unusable carriers except the first. The first is visible, so the user can replace it; the others are not. */
export const dropUnusableEntries = <Entry extends { voip_carrier_sid: string }>(
  entries: readonly Entry[],
  usableSids: ReadonlySet<string>,
): Entry[] => entries.filter((entry, index) => index === 0 || usableSids.has(entry.voip_carrier_sid))

/** Prepares a copy, without the hidden carriers that it may not use. */
export const withoutUnusableCarriers = (table: LcrWithRoutes, usableSids: ReadonlySet<string>): LcrWithRoutes => ({
  ...table,
  routes: table.routes.map((route) => ({
    ...route,
    lcr_carrier_set_entries: dropUnusableEntries(route.lcr_carrier_set_entries, usableSids),
  })),
})

type RouteBody = RouteList[number]

const newEntry = ({ voip_carrier_sid, workload, priority }: LcrCarrierSetEntry) => ({
  voip_carrier_sid,
  workload,
  priority,
  lcr_route_sid: '',
})

const entriesToSend = (
  [firstEntry, ...otherEntries]: LcrCarrierSetEntry[],
  isStored: boolean,
  voip_carrier_sid: string,
) => {
  if (!firstEntry) return [{ voip_carrier_sid, priority: 0, lcr_route_sid: '' }]
  const entries = [{ ...firstEntry, voip_carrier_sid }, ...otherEntries]
  return isStored ? entries : entries.map(newEntry)
}

/**
 * Sends a route without a stored carrier as a new one: servers update known carriers of a stored route and drop new
 * ones.
 */
const sidToSend = ({ lcr_route_sid, entries }: Pick<RouteValues, 'lcr_route_sid' | 'entries'>) =>
  entries.length > 0 ? lcr_route_sid : ''

/** The routes to send: the index is the priority, and the default route is last. */
export const routesToSend = ({ routes, storedDefaultRoute, default_voip_carrier_sid }: LcrValues): RouteList => [
  ...routes.map<RouteBody>((row, priority) => ({
    lcr_route_sid: sidToSend(row),
    regex: row.regex.trim(),
    ...(row.description === null ? {} : { description: row.description }),
    priority,
    lcr_carrier_set_entries: entriesToSend(row.entries, sidToSend(row) !== '', row.voip_carrier_sid ?? ''),
  })),
  {
    ...defaultRoute,
    lcr_route_sid: sidToSend(storedDefaultRoute),
    lcr_carrier_set_entries: entriesToSend(
      storedDefaultRoute.entries,
      sidToSend(storedDefaultRoute) !== '',
      default_voip_carrier_sid ?? '',
    ),
  },
]

/** Returns the errors of one route. */
export const routeErrors = ({ regex, voip_carrier_sid }: Pick<RouteValues, 'regex' | 'voip_carrier_sid'>) => ({
  regex: regex.trim() === '' ? messages.patternMissing : findPatternError(regex.trim()),
  voip_carrier_sid: voip_carrier_sid === null ? messages.carrierMissing : undefined,
})

/** Returns the errors of all routes by form path. `carriers`: all carriers, or undefined if not loaded yet. */
export const lcrErrors = (
  { account_sid, default_voip_carrier_sid, routes }: LcrValues,
  carriers: readonly OwnedCarrier[] | undefined,
): FieldErrors => {
  const usableSids = carriers && usableCarrierSids(account_sid, carriers)
  const unusableError = (sid: string | null) =>
    sid && usableSids?.has(sid) === false ? messages.carrierUnusable : undefined
  const errors: [string, string | undefined][] = routes.flatMap((row, index) => {
    const { regex, voip_carrier_sid = unusableError(row.voip_carrier_sid) } = routeErrors(row)
    return [
      [`routes.${index}.regex`, regex],
      [`routes.${index}.voip_carrier_sid`, voip_carrier_sid],
    ] satisfies [string, string | undefined][]
  })
  errors.push(['default_voip_carrier_sid', unusableError(default_voip_carrier_sid)])
  return Object.fromEntries(errors.filter((carrier): carrier is [string, string] => carrier[1] !== undefined))
}

/** Returns whether an owner's LCR may use this carrier. An account may use its own and its provider's. */
export const isUsable = (carrier: Pick<VoipCarrier, 'account_sid'>, account_sid: string | null): boolean =>
  !carrier.account_sid || carrier.account_sid === account_sid
