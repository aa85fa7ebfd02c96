/** The priority of the default route, which handles calls that match no other route. */
export const defaultRoutePriority = 9999

/** The default route of an LCR as stored: it matches every number and comes last. */
export const newDefaultRoute = {
  regex: '.*',
  description: 'System Default Route',
  priority: defaultRoutePriority,
} as const
