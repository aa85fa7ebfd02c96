/** The priority of the route that is taken when no other matches. */
export const defaultPriority = 9999

/** The default route of a table as it is stored: it matches everything, and stands last. */
export const defaultRoute = { regex: '.*', description: 'System Default Route', priority: defaultPriority } as const
