import { normalizeNumber, matchesNumber } from './route-pattern'

/** The priority of the default route, which handles calls that match no other route. */
export const defaultPriority = 9999

/** The default route of an LCR as stored: it matches every number and comes last. */
export const newDefaultRoute = { regex: '.*', description: 'System Default Route', priority: defaultPriority } as const

/** The number of routes in an LCR without the default route. */
export const countWithoutDefault = (number_routes: number): number => Math.max(0, number_routes - 1)

/** Returns the list with one entry moved to another index. */
export const moveEntry = <Entry>(list: readonly Entry[], fromIndex: number, toIndex: number): Entry[] => {
  const otherEntries = list.toSpliced(fromIndex, 1)
  return otherEntries.toSpliced(toIndex, 0, ...list.slice(fromIndex, fromIndex + 1))
}

interface StoredRoute {
  priority: number
  lcr_carrier_set_entries: readonly { lcr_carrier_set_entry_sid: string }[]
}

/**
 * Separates the default route from the others. It contains the LCR's default carrier set entry, or else has the default
 * priority.
 */
export const separateDefaultRoute = <Route extends StoredRoute>(
  routes: readonly Route[],
  default_carrier_set_entry_sid: string | null,
): { orderedRoutes: Route[]; defaultRoute: Route | undefined } => {
  const defaultRouteOfLcr =
    routes.find(({ lcr_carrier_set_entries }) =>
      lcr_carrier_set_entries.some((entry) => entry.lcr_carrier_set_entry_sid === default_carrier_set_entry_sid),
    ) ?? routes.find(({ priority }) => priority === defaultPriority)
  return { orderedRoutes: routes.filter((route) => route !== defaultRouteOfLcr), defaultRoute: defaultRouteOfLcr }
}

/** The index of the first matching pattern; undefined if the default route handles the number. */
export const findFirstMatch = (patterns: readonly string[], number: string): number | undefined => {
  const index = patterns.findIndex((pattern) => matchesNumber(pattern, number))
  return index < 0 ? undefined : index
}

/** Formats a number for a carrier: the tech prefix, then a plus if the carrier requires it, then the number. */
export const formatForCarrier = (
  { tech_prefix, e164_leading_plus }: { tech_prefix: string | null; e164_leading_plus: unknown },
  number: string,
): string => `${tech_prefix ?? ''}${e164_leading_plus ? '+' : ''}${normalizeNumber(number)}`
