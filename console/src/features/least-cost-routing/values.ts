import { messages } from '@trunkline/contract/messages/lcr'
import type { Lcr, LcrCarrierSetEntry, LcrRoute, RouteList } from '@trunkline/contract/shapes/lcr'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { patternError } from '@trunkline/contract/telephony/route-pattern'
import { defaultRoute, splitDefault } from '@trunkline/contract/telephony/lcr'
import { changed } from '../../kit/changed'
import type { Faults } from '../../kit/form'

/** A table with its routes, as the form reads it. */
export type WholeTable = Lcr & { routes: LcrRoute[] }

/** One route as the form holds it. */
export interface RouteValues {
  /** Tells rows apart, whatever their order. */
  key: string
  /** Empty: it is not stored yet. */
  lcr_route_sid: string
  regex: string
  description: string | null
  /** The first carrier of the route, which is the one that is called. */
  voip_carrier_sid: string | null
  /** What is stored of its carriers; those after the first stay as they are. */
  entries: LcrCarrierSetEntry[]
}

/** A type, not an interface: the form library asks for an index. */
export type TableValues = {
  name: string
  is_active: number
  account_sid: string | null
  default_voip_carrier_sid: string | null
  routes: RouteValues[]
  /** What is stored of the default route. No field, as the next. */
  rest: Pick<RouteValues, 'lcr_route_sid' | 'entries'>
  /** What was read: it tells whether somebody else has changed the table since. */
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

/** The form's first values. `account_sid`: whose a new table is. */
export const tableValues = (table: WholeTable | undefined, account_sid: string | null): TableValues => {
  const nothing = { name: '', is_active: 1, account_sid, default_voip_carrier_sid: null }
  if (!table) return { ...nothing, routes: [blankRoute()], rest: noRest, version: undefined }
  const { ordered, fallback } = splitDefault(table.routes, table.default_carrier_set_entry_sid)
  return {
    name: table.name ?? '',
    is_active: table.is_active,
    // some servers keep an empty text for nobody
    account_sid: table.account_sid || null,
    default_voip_carrier_sid: fallback?.lcr_carrier_set_entries[0]?.voip_carrier_sid ?? null,
    routes: ordered.map(routeValues),
    rest: fallback ? { lcr_route_sid: fallback.lcr_route_sid, entries: fallback.lcr_carrier_set_entries } : noRest,
    version: table.version,
  }
}

/**
 * What the form was filled from, once one of its routes is deleted. `now`: what is stored; where it differs in more than
 * that, somebody else has changed it, and the version stays an old one.
 */
export const valuesWithout = (
  before: TableValues,
  lcr_route_sid: string,
  now: TableValues | undefined,
): TableValues => {
  const left = { ...before, routes: before.routes.filter((row) => row.lcr_route_sid !== lcr_route_sid) }
  const others = now ? Object.keys(changed(left, now)).filter((name) => name !== 'version') : ['all']
  return others.length > 0 ? left : { ...left, version: now?.version }
}

/** What a copy of a table begins with: nothing in it is stored yet, and it belongs to somebody else. */
export const copyOfTable = (table: WholeTable, name: string): WholeTable => ({
  ...table,
  name,
  account_sid: null,
  version: undefined,
  routes: table.routes.map((route) => ({ ...route, lcr_route_sid: '' })),
})

type Owned = Pick<VoipCarrier, 'account_sid' | 'voip_carrier_sid'>

/** The carriers that the routes of an account, or those of all, may go over. */
export const usableBy = (account_sid: string | null, carriers: readonly Owned[]): ReadonlySet<string> =>
  new Set(carriers.filter((each) => usable(each, account_sid)).map((each) => each.voip_carrier_sid))

/** The first carrier is shown, and chosen anew where it has to be; nobody sees the others. */
export const withoutUnusable = <Entry extends { voip_carrier_sid: string }>(
  entries: readonly Entry[],
  mine: ReadonlySet<string>,
): Entry[] => entries.filter((entry, at) => at === 0 || mine.has(entry.voip_carrier_sid))

/** A table to be copied, without the carriers that nobody would see and the copy may not use. */
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

/** A route without a stored carrier is sent as a new one: servers change carriers that they know, and lose others. */
const sidSent = ({ lcr_route_sid, entries }: Pick<RouteValues, 'lcr_route_sid' | 'entries'>) =>
  entries.length > 0 ? lcr_route_sid : ''

/** The routes as they travel: their place is their priority, and the default stands last. */
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

/** What is wrong with one route. */
export const routeFaults = ({ regex, voip_carrier_sid }: Pick<RouteValues, 'regex' | 'voip_carrier_sid'>) => ({
  regex: regex.trim() === '' ? messages.patternMissing : patternError(regex.trim()),
  voip_carrier_sid: voip_carrier_sid === null ? messages.carrierMissing : undefined,
})

/** The same of all routes, by the form's paths. `carriers`: all that there are; undefined: not known yet. */
export const tableFaults = (
  { account_sid, default_voip_carrier_sid, routes }: TableValues,
  carriers: readonly Owned[] | undefined,
): Faults => {
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

/** May the owner of a table call over this carrier? An account may over its own and its provider's. */
export const usable = (carrier: Pick<VoipCarrier, 'account_sid'>, account_sid: string | null): boolean =>
  !carrier.account_sid || carrier.account_sid === account_sid
