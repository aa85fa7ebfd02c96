/** The sentences about outbound call routing: about tables of routes. The frame knows them, so those about routes are apart. */
export const messages = {
  purpose: 'Outbound call routing is used to select a carrier when there are multiple carriers available.',
  added: 'Least cost routing successfully created',
  saved: 'Least cost routing successfully updated',
  routesSaved: 'Least cost routing rule successfully updated',
  routeRemoved: 'Least cost routing rule successfully deleted',
  /** After the deletion on the list. */
  removed: (name: string) => `Deleted outbound call route ${name}`,
  /** After the deletion on the page of the routes themselves. */
  gone: (name: string) => `Deleted least cost routing ${name}`,
  none: 'No outbound call routes.',
  mayNotManageAll: 'You do not have permissions to manage all outbound call routes',
  /** Somebody else has saved the routes since they were opened. */
  changedMeanwhile: 'These outbound call routes have been changed by somebody else since you opened them.',
  noCarriers: 'There are no available carriers',
  noCarriersOfAccount: 'There are no available carriers defined for this account',
} as const
