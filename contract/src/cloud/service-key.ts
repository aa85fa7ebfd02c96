import { messages } from '../messages/bucket'

/**
 * Why a Google service account key is invalid: it must be JSON with `client_email` and `private_key`. Undefined if it
 * is valid.
 */
export const findServiceKeyError = (text: string): string | undefined => {
  let key: unknown
  try {
    key = JSON.parse(text)
  } catch {
    return messages.serviceKey.notJson
  }
  const fields = typeof key === 'object' && key !== null ? (key as Record<string, unknown>) : {}
  const isComplete = ['private_key', 'client_email'].every(
    (field) => typeof fields[field] === 'string' && fields[field] !== '',
  )
  return isComplete ? undefined : messages.serviceKey.incomplete
}
