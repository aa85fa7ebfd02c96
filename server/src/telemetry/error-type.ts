/** The code of an error, or else its class. Never its message, which may repeat a value. */
export const errorTypeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  if (typeof code === 'string') return code
  return typeof name === 'string' ? name : 'error'
}
