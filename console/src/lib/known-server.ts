import { capabilitiesHeader } from '@trunkline/contract/resources/session'

/** By address of an API: do its answers carry the header of servers that tell their abilities? */
const known = new Map<string, boolean>()
const pending = new Map<string, Promise<void>>()

const recordHeader = (apiBaseUrl: string, { headers, ok }: Response): void => {
  if (headers.has(capabilitiesHeader)) known.set(apiBaseUrl, true)
  // A refusal without the header may come from a proxy on the way.
  else if (ok && !known.has(apiBaseUrl)) known.set(apiBaseUrl, false)
}

/** Learns from an answer of the API at this address what kind of server is there. */
export const noteServer = (apiBaseUrl: string, response: Promise<Response>): void => {
  if (known.has(apiBaseUrl)) return
  const noted = response.then(
    (response) => recordHeader(apiBaseUrl, response),
    () => undefined,
  )
  pending.set(apiBaseUrl, noted)
}

/** Does the server at this address tell its abilities? Undefined until one of its answers has come. */
export const hasCapabilities = async (apiBaseUrl: string): Promise<boolean | undefined> => {
  if (!known.has(apiBaseUrl)) await pending.get(apiBaseUrl)
  return known.get(apiBaseUrl)
}
