import { capabilitiesHeader } from '@trunkline/contract/resources/session'

/** By API base URL: do the responses carry the header of servers that report their capabilities? */
const hasHeaderByUrl = new Map<string, boolean>()
const pendingByUrl = new Map<string, Promise<void>>()

const storeHeaderPresence = (apiBaseUrl: string, { headers, ok }: Response): void => {
  if (headers.has(capabilitiesHeader)) hasHeaderByUrl.set(apiBaseUrl, true)
  // An error response without the header may come from a proxy.
  else if (ok && !hasHeaderByUrl.has(apiBaseUrl)) hasHeaderByUrl.set(apiBaseUrl, false)
}

/** Detects the kind of server behind this base URL from one of its responses. */
export const detectServer = (apiBaseUrl: string, pendingResponse: Promise<Response>): void => {
  if (hasHeaderByUrl.has(apiBaseUrl)) return
  const headerStored = pendingResponse.then(
    (response) => storeHeaderPresence(apiBaseUrl, response),
    () => undefined,
  )
  pendingByUrl.set(apiBaseUrl, headerStored)
}

/** Does the server at this base URL report its capabilities? Undefined until its first response arrives. */
export const hasCapabilities = async (apiBaseUrl: string): Promise<boolean | undefined> => {
  if (!hasHeaderByUrl.has(apiBaseUrl)) await pendingByUrl.get(apiBaseUrl)
  return hasHeaderByUrl.get(apiBaseUrl)
}

/** Detects all servers again. For tests, where another server may get the port of one that has stopped. */
export const forgetDetectedServers = (): void => {
  hasHeaderByUrl.clear()
  pendingByUrl.clear()
}
