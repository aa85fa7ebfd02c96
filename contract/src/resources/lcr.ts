import { resource } from '../kit/resource'
import { route } from '../kit/route'
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

/** A table of outbound routes: which carrier a call goes out over, by the number that was dialled. */
export const lcr = resource<Lcr, LcrDraft, LcrChanges>()({
  kind: 'lcr',
  path: '/Lcrs',
  key: 'lcr_sid',
  noun: { singular: 'outbound call route', plural: 'outbound call routes' },
  title: (row) => row.name ?? row.lcr_sid,
})

/** Adds all routes of the list to a table. */
export const addRoutes = route<{ body: RouteList }>()(
  'POST',
  '/Lcrs/:lcr_sid/Routes',
  'Add routes to a table of outbound routes',
  { status: 204 },
)

/** Changes the routes of the list that have a sid, and adds the others. What the list leaves out stays. */
export const saveRoutes = route<{ body: RouteList }>()(
  'PUT',
  '/Lcrs/:lcr_sid/Routes',
  'Change and add routes of a table of outbound routes',
)

/** One route of a table. Listed by table: the query `lcr_sid` is required. */
export const lcrRoute = resource<LcrRoute, LcrRouteDraft, LcrRouteChanges>()({
  kind: 'lcr',
  path: '/LcrRoutes',
  key: 'lcr_route_sid',
  noun: { singular: 'route', plural: 'routes' },
  title: (row) => row.regex,
})

/** A carrier of a route. Listed by route: the query `lcr_route_sid` is required. */
export const lcrCarrierSetEntry = resource<LcrCarrierSetEntry, LcrCarrierSetEntryDraft, LcrCarrierSetEntryChanges>()({
  kind: 'lcr',
  path: '/LcrCarrierSetEntries',
  key: 'lcr_carrier_set_entry_sid',
  noun: { singular: 'carrier of a route', plural: 'carriers of a route' },
  title: (row) => row.voip_carrier_sid,
})
