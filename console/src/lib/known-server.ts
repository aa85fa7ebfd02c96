import { abilitiesHeader } from '@trunkline/contract/resources/session'

/** By address of an API: do its answers carry the header of servers that tell their abilities? */
const known = new Map<string, boolean>()
const pending = new Map<string, Promise<void>>()

const note = (address: string, { headers, ok }: Response): void => {
  if (headers.has(abilitiesHeader)) known.set(address, true)
  // A refusal without the header may come from a proxy on the way.
  else if (ok && !known.has(address)) known.set(address, false)
}

/** Learns from an answer of the API at this address what kind of server is there. */
export const noteAnswer = (address: string, answer: Promise<Response>): void => {
  if (known.has(address)) return
  const noted = answer.then(
    (response) => note(address, response),
    () => undefined,
  )
  pending.set(address, noted)
}

/** Does the server at this address tell its abilities? Undefined until one of its answers has come. */
export const tellsAbilities = async (address: string): Promise<boolean | undefined> => {
  if (!known.has(address)) await pending.get(address)
  return known.get(address)
}
