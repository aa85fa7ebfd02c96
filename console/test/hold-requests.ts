import { vi } from 'vitest'

/** The URL of a `fetch` call. */
export const requestUrl = (input: Parameters<typeof fetch>[0]): string =>
  input instanceof Request ? input.url : String(input)

/** Delays requests with this method and path until the returned function is called; `vi.restoreAllMocks` ends it. */
export const holdRequests = (method: string, path: string) => {
  const send = globalThis.fetch
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (requestUrl(input).includes(path) && init?.method === method) await released
    return send(input, init)
  })
  return release
}
