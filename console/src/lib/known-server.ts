import { capabilitiesHeader } from '@trunkline/contract/resources/session'

/** By API base URL: do its responses carry the header of servers that report their capabilities? */
const known = new Map<string, boolean>()
const pending = new Map<string, Promise<void>>()

const recordHeader = (apiBaseUrl: string, { headers, ok }: Response): void => {
  if (headers.has(capabilitiesHeader)) known.set(apiBaseUrl, true)
  // An error response without the header may come from a proxy.
  else if (ok && !known.has(apiBaseUrl)) known.set(apiBaseUrl, false)
}

/** Detects the kind of server behind this base URL from one of its responses. */
export const detectServer = (apiBaseUrl: string, response: Promise<Response>): void => {
  if (known.has(apiBaseUrl)) return
  const noted = response.then(
    (response) => recordHeader(apiBaseUrl, response),
    () => undefined,
  )
  pending.set(apiBaseUrl, noted)
}

/** Does the server at this base URL report its capabilities? Undefined until its first response arrives. */
export const hasCapabilities = async (apiBaseUrl: string): Promise<boolean | undefined> => {
  if (!known.has(apiBaseUrl)) await pending.get(apiBaseUrl)
  return known.get(apiBaseUrl)
}
