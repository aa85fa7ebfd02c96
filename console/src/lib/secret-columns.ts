/** The names of columns and fields with secrets. */
const secretName = /(password|secret|token|credential|_key|connection_string)$/

export const isSecretColumn = (name: string): boolean => secretName.test(name)

/** The replacer of `JSON.stringify` that leaves out secrets. */
export const omitSecret = (name: string, value: unknown): unknown => (isSecretColumn(name) ? undefined : value)
