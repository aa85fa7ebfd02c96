import { hiddenSecret } from '@trunkline/contract/kit/secret'

/** Fields of answers that hold a secret as it is. */
const secretFields = new Set([
  'password',
  'register_password',
  'inbound_auth_password',
  'smpp_password',
  'smpp_inbound_password',
  'webhook_secret',
  'subspace_client_secret',
])

/** Fields whose texts may all be secrets. */
const secretObjects = new Set(['env_vars'])

/** A record, and neither a file nor a stream nor a date. Drivers make rows of classes of their own. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  !(value instanceof Date) &&
  !('pipe' in value) &&
  !('getReader' in value)

const hideTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return value === '' ? value : hiddenSecret
  if (Array.isArray(value)) return value.map(hideTexts)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hideTexts(each)]))
    : value
}

/** An answer without its secrets, for users who may only look: whoever has a secret can do more than that. */
export const hideSecrets = (response: unknown): unknown => {
  if (Array.isArray(response)) return response.map(hideSecrets)
  if (!isRecord(response)) return response
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => {
      const isSecret = (typeof value === 'string' && secretFields.has(name)) || secretObjects.has(name)
      return [name, isSecret ? hideTexts(value) : hideSecrets(value)]
    }),
  )
}
