import { messages } from '../messages/bucket'

/** What is wrong with the text of a Google service account key: it must be JSON and hold an address and a private key. */
export const serviceKeyError = (text: string): string | undefined => {
  let key: unknown
  try {
    key = JSON.parse(text)
  } catch {
    return messages.serviceKey.noJson
  }
  const fields = typeof key === 'object' && key !== null ? (key as Record<string, unknown>) : {}
  const isComplete = ['private_key', 'client_email'].every(
    (field) => typeof fields[field] === 'string' && fields[field] !== '',
  )
  return isComplete ? undefined : messages.serviceKey.incomplete
}
