import { messages } from '../messages/bucket'

/** What is wrong with the text of a Google service account key: it must be JSON and hold an address and a private key. */
export const serviceKeyFault = (text: string): string | undefined => {
  let key: unknown
  try {
    key = JSON.parse(text)
  } catch {
    return messages.serviceKey.noJson
  }
  const parts = typeof key === 'object' && key !== null ? (key as Record<string, unknown>) : {}
  const whole = ['private_key', 'client_email'].every((part) => typeof parts[part] === 'string' && parts[part] !== '')
  return whole ? undefined : messages.serviceKey.incomplete
}
