import { defaultRoutePriority } from '@trunkline/contract/telephony/lcr'

/** The number of routes in an LCR without the default route. */
export const countWithoutDefault = (number_routes: number): number => Math.max(0, number_routes - 1)

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
    ) ?? routes.find(({ priority }) => priority === defaultRoutePriority)
  return { orderedRoutes: routes.filter((route) => route !== defaultRouteOfLcr), defaultRoute: defaultRouteOfLcr }
}
