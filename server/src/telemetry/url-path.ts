const sidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * The path of a request without values that could be personal or secret: SIDs stay, all other parameters are replaced by
 * their names.
 */
export const describePath = (route: string, parameters: unknown): string =>
  route.replace(/:(\w+)(\([^/]*\))?\??/g, (_, name: string) => {
    const value = (parameters as Record<string, unknown> | null | undefined)?.[name]
    return typeof value === 'string' && sidPattern.test(value) ? value : `:${name}`
  })
