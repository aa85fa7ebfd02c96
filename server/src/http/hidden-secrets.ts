import { secretPlaceholder } from '@trunkline/contract/kit/secret'

/** Response fields with readable secrets. */
const secretFields = new Set([
  'password',
  'register_password',
  'inbound_auth_password',
  'smpp_password',
  'smpp_inbound_password',
  'webhook_secret',
  'subspace_client_secret',
])

/** Objects in which every string may be a secret. */
const secretObjects = new Set(['env_vars'])

/** Excludes files, streams and dates. A check of the prototype would exclude rows, which are instances of driver classes. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  !(value instanceof Date) &&
  !('pipe' in value) &&
  !('getReader' in value)

const maskStrings = (value: unknown): unknown => {
  if (typeof value === 'string') return value === '' ? value : secretPlaceholder
  if (Array.isArray(value)) return value.map(maskStrings)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, maskStrings(field)]))
    : value
}

/** Masks the secrets of a response for view-only users, who could use them to make changes. */
export const hideSecrets = (response: unknown): unknown => {
  if (Array.isArray(response)) return response.map(hideSecrets)
  if (!isRecord(response)) return response
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      const isSecret = (typeof value === 'string' && secretFields.has(name)) || secretObjects.has(name)
      return [name, isSecret ? maskStrings(value) : hideSecrets(value)]
    }),
  )
}
