import { messages as access } from './access'

/** The sentences about outbound call routing: about tables of routes. */
export const messages = {
  purpose: 'Outbound call routing is used to select a carrier when there are multiple carriers available.',
  added: 'Least cost routing successfully created',
  saved: 'Least cost routing successfully updated',
  routesSaved: 'Least cost routing rule successfully updated',
  routeBeingRemoved: 'Deleting the route…',
  routeRemoved: 'Least cost routing rule successfully deleted',
  /** After the deletion on the list. */
  removed: (name: string) => `Deleted outbound call route ${name}`,
  /** After the deletion on the page of the routes themselves. */
  gone: (name: string) => `Deleted least cost routing ${name}`,
  none: 'No outbound call routes.',
  mayNotManageAll: access.mayNotManageAllRoutes,
  /** Somebody else has saved the routes since they were opened. */
  changedMeanwhile: 'Someone else changed these outbound call routes after you opened them.',
  noCarriers: 'There are no available carriers',
  noCarriersOfAccount: 'There are no available carriers defined for this account',
} as const
