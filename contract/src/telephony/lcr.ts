import { normalizeNumber, matchesNumber } from './route-pattern'

/** The priority of the route that is taken when no other matches. */
export const defaultPriority = 9999

/** The default route of a table as it is stored: it matches everything, and stands last. */
export const defaultRoute = { regex: '.*', description: 'System Default Route', priority: defaultPriority } as const

/** How many routes a table has besides its default. */
export const countWithoutDefault = (number_routes: number): number => Math.max(0, number_routes - 1)

/** The list with one entry moved from a place to another. */
export const moveEntry = <Entry>(list: readonly Entry[], from: number, to: number): Entry[] => {
  const fallback = list.toSpliced(from, 1)
  return fallback.toSpliced(to, 0, ...list.slice(from, from + 1))
}

interface StoredRoute {
  priority: number
  lcr_carrier_set_entries: readonly { lcr_carrier_set_entry_sid: string }[]
}

/** Tells the default of a table from its other routes: it has the table's default carrier, or else the default priority. */
export const splitDefault = <Route extends StoredRoute>(
  routes: readonly Route[],
  default_carrier_set_entry_sid: string | null,
): { ordered: Route[]; fallback: Route | undefined } => {
  const fallback =
    routes.find(({ lcr_carrier_set_entries }) =>
      lcr_carrier_set_entries.some((each) => each.lcr_carrier_set_entry_sid === default_carrier_set_entry_sid),
    ) ?? routes.find(({ priority }) => priority === defaultPriority)
  return { ordered: routes.filter((route) => route !== fallback), fallback }
}

/** Where the first match is, or undefined when the default route takes the number. */
export const firstMatch = (patterns: readonly string[], number: string): number | undefined => {
  const index = patterns.findIndex((pattern) => matchesNumber(pattern, number))
  return index < 0 ? undefined : index
}

/** The number as a carrier gets it: behind its tech prefix, with a plus where it wants one. */
export const formatForCarrier = (
  { tech_prefix, e164_leading_plus }: { tech_prefix: string | null; e164_leading_plus: unknown },
  number: string,
): string => `${tech_prefix ?? ''}${e164_leading_plus ? '+' : ''}${normalizeNumber(number)}`
