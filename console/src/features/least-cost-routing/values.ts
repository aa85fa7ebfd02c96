import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr, LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { patternError } from '@trunkline/contract/telephony/route-pattern'
import { defaultRoute, splitDefault } from '@trunkline/contract/telephony/lcr'
import { getChangedFields } from '../../kit/form/changed-fields'
import type { FieldErrors } from '../../kit/form/form'

/** An LCR with its routes, as the form reads it. */
export type WholeTable = Lcr & { routes: LcrRoute[] }

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
export type TableValues = {
  name: string
  is_active: number
  account_sid: string | null
  default_voip_carrier_sid: string | null
  routes: RouteValues[]
  /** The stored default route. No field; neither is `version`. */
  rest: Pick<RouteValues, 'lcr_route_sid' | 'entries'>
  /** The version that was read, to detect changes by others. */
  version: string | undefined
}

const noRest: TableValues['rest'] = { lcr_route_sid: '', entries: [] }

export const blankRoute = (): RouteValues => ({
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
export const tableValues = (table: WholeTable | undefined, account_sid: string | null): TableValues => {
  const nothing = { name: '', is_active: 1, account_sid, default_voip_carrier_sid: null }
  if (!table) return { ...nothing, routes: [blankRoute()], rest: noRest, version: undefined }
  const { ordered, fallback } = splitDefault(table.routes, table.default_carrier_set_entry_sid)
  return {
    name: table.name ?? '',
    is_active: table.is_active,
    // some servers store an empty string instead of null
    account_sid: table.account_sid || null,
    default_voip_carrier_sid: fallback?.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
    routes: ordered.map(routeValues),
    rest: fallback ? { lcr_route_sid: fallback.lcr_route_sid, entries: fallback.lcr_carrier_set_entries } : noRest,
    version: table.version,
  }
}

/**
 * The form's initial values without a deleted route. `now`: the stored values. If anything else differs, someone else
 * has changed the LCR, and the old version is kept so that a save detects it.
 */
export const valuesWithout = (
  before: TableValues,
  lcr_route_sid: string,
  now: TableValues | undefined,
): TableValues => {
  const left = { ...before, routes: before.routes.filter((row) => row.lcr_route_sid !== lcr_route_sid) }
  const others = now ? Object.keys(getChangedFields(left, now)).filter((name) => name !== 'version') : ['all']
  return others.length > 0 ? left : { ...left, version: now?.version }
}

/** The initial values of a copy: without SIDs, version and account. */
export const copyOfTable = (table: WholeTable, name: string): WholeTable => ({
  ...table,
  name,
  account_sid: null,
  version: undefined,
  routes: table.routes.map((route) => ({ ...route, lcr_route_sid: '' })),
})

type Owned = Pick<VoipCarrier, 'account_sid' | 'voip_carrier_sid'>

/** The carriers that an account's LCR may use, or a provider's if `account_sid` is null. */
export const usableBy = (account_sid: string | null, carriers: readonly Owned[]): ReadonlySet<string> =>
  new Set(carriers.filter((each) => usable(each, account_sid)).map((each) => each.voip_carrier_sid))

/** Drops unusable carriers except the first. The first is visible, so the user can replace it; the others are not. */
export const withoutUnusable = <Entry extends { voip_carrier_sid: string }>(
  entries: readonly Entry[],
  mine: ReadonlySet<string>,
): Entry[] => entries.filter((entry, at) => at === 0 || mine.has(entry.voip_carrier_sid))

/** Prepares a copy, without the hidden carriers that it may not use. */
export const toBeCopied = (table: WholeTable, mine: ReadonlySet<string>): WholeTable => ({
  ...table,
  routes: table.routes.map((route) => ({
    ...route,
    lcr_carrier_set_entries: withoutUnusable(route.lcr_carrier_set_entries, mine),
  })),
})

type Sent = RouteList[number]

const fresh = ({ voip_carrier_sid, workload, priority }: LcrCarrierSetEntry) => ({
  voip_carrier_sid,
  workload,
  priority,
  lcr_route_sid: '',
})

const entriesSent = ([first, ...others]: LcrCarrierSetEntry[], stored: boolean, voip_carrier_sid: string) => {
  if (!first) return [{ voip_carrier_sid, priority: 0, lcr_route_sid: '' }]
  const all = [{ ...first, voip_carrier_sid }, ...others]
  return stored ? all : all.map(fresh)
}

/**
 * Sends a route without a stored carrier as a new one: servers update known carriers of a stored route and drop new
 * ones.
 */
const sidSent = ({ lcr_route_sid, entries }: Pick<RouteValues, 'lcr_route_sid' | 'entries'>) =>
  entries.length > 0 ? lcr_route_sid : ''

/** The routes to send: the index is the priority, and the default route is last. */
export const routesSent = ({ routes, rest, default_voip_carrier_sid }: TableValues): RouteList => [
  ...routes.map<Sent>((row, priority) => ({
    lcr_route_sid: sidSent(row),
    regex: row.regex.trim(),
    ...(row.description === null ? {} : { description: row.description }),
    priority,
    lcr_carrier_set_entries: entriesSent(row.entries, sidSent(row) !== '', row.voip_carrier_sid ?? ''),
  })),
  {
    ...defaultRoute,
    lcr_route_sid: sidSent(rest),
    lcr_carrier_set_entries: entriesSent(rest.entries, sidSent(rest) !== '', default_voip_carrier_sid ?? ''),
  },
]

/** Returns the errors of one route. */
export const routeFaults = ({ regex, voip_carrier_sid }: Pick<RouteValues, 'regex' | 'voip_carrier_sid'>) => ({
  regex: regex.trim() === '' ? messages.patternMissing : patternError(regex.trim()),
  voip_carrier_sid: voip_carrier_sid === null ? messages.carrierMissing : undefined,
})

/** Returns the errors of all routes by form path. `carriers`: all carriers, or undefined if not loaded yet. */
export const tableFaults = (
  { account_sid, default_voip_carrier_sid, routes }: TableValues,
  carriers: readonly Owned[] | undefined,
): FieldErrors => {
  const mine = carriers && usableBy(account_sid, carriers)
  const unusable = (sid: string | null) => (sid && mine?.has(sid) === false ? messages.carrierUnusable : undefined)
  const faults: [string, string | undefined][] = routes.flatMap((row, at) => {
    const { regex, voip_carrier_sid = unusable(row.voip_carrier_sid) } = routeFaults(row)
    return [
      [`routes.${at}.regex`, regex],
      [`routes.${at}.voip_carrier_sid`, voip_carrier_sid],
    ] satisfies [string, string | undefined][]
  })
  faults.push(['default_voip_carrier_sid', unusable(default_voip_carrier_sid)])
  return Object.fromEntries(faults.filter((each): each is [string, string] => each[1] !== undefined))
}

/** Returns whether an owner's LCR may use this carrier. An account may use its own and its provider's. */
export const usable = (carrier: Pick<VoipCarrier, 'account_sid'>, account_sid: string | null): boolean =>
  !carrier.account_sid || carrier.account_sid === account_sid
