import { defineResource } from '../kit/resource'
import { defineRoute } from '../kit/route'
import type {
  Lcr,
  LcrCarrierSetEntry,
  LcrCarrierSetEntryChanges,
  LcrCarrierSetEntryDraft,
  LcrChanges,
  LcrDraft,
  LcrRoute,
  LcrRouteChanges,
  LcrRouteDraft,
  RouteList,
} from '../shapes/lcr'

/** An outbound routing table: selects the carriers of a call by the dialed number. */
export const lcr = defineResource<Lcr, LcrDraft, LcrChanges>()({
  kind: 'lcr',
  path: '/Lcrs',
  key: 'lcr_sid',
  noun: { singular: 'routing table', plural: 'routing tables' },
  title: (row) => row.name ?? row.lcr_sid,
})

/** Adds all routes in the list to the table. */
export const addRoutes = defineRoute<{ body: RouteList }>()('POST', '/Lcrs/:lcr_sid/Routes', 'Add routes to an LCR', {
  status: 204,
})

/** Updates the routes in the list that have a SID and adds the others. Routes that are not in the list stay. */
export const saveRoutes = defineRoute<{ body: RouteList }>()(
  'PUT',
  '/Lcrs/:lcr_sid/Routes',
  'Update and add routes of an LCR',
)

/** One route of an LCR. The list requires the query `lcr_sid`. */
export const lcrRoute = defineResource<LcrRoute, LcrRouteDraft, LcrRouteChanges>()({
  kind: 'lcr',
  path: '/LcrRoutes',
  key: 'lcr_route_sid',
  noun: { singular: 'route', plural: 'routes' },
  title: (row) => row.regex,
})

/** A carrier of a route. The list requires the query `lcr_route_sid`. */
export const lcrCarrierSetEntry = defineResource<
  LcrCarrierSetEntry,
  LcrCarrierSetEntryDraft,
  LcrCarrierSetEntryChanges
>()({
  kind: 'lcr',
  path: '/LcrCarrierSetEntries',
  key: 'lcr_carrier_set_entry_sid',
  noun: { singular: 'carrier of a route', plural: 'carriers of a route' },
  title: (row) => row.voip_carrier_sid,
})
