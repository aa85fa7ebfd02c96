import { messages as access } from './access'

/** Messages about outbound routing tables (LCRs). */
export const messages = {
  purpose: 'Outbound call routing is used to select a carrier when there are multiple carriers available.',
  added: 'Least cost routing successfully created',
  saved: 'Least cost routing successfully updated',
  routesSaved: 'Least cost routing rule successfully updated',
  removingRoute: 'Deleting the route…',
  routeRemoved: 'Least cost routing rule successfully deleted',
  confirmRemoval: (name: string) => `Are you sure you want to delete the routing table ${name} and all its routes?`,
  /** Shown after a deletion on the list. */
  removed: (name: string) => `Deleted outbound call route ${name}`,
  /** Shown after a deletion on the screen of the LCR itself. */
  removedOnScreen: (name: string) => `Deleted least cost routing ${name}`,
  none: 'No outbound call routes.',
  mayNotListAllLcrs: access.mayNotListAllLcrs,
  /** Another user has saved the routes since this screen opened. */
  changedMeanwhile: 'Someone else changed this routing table after you opened it.',
  noCarriers: 'There are no available carriers',
  noCarriersOfAccount: 'There are no available carriers defined for this account',
} as const
