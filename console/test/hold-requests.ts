import { vi } from 'vitest'

/** Holds requests with this method and path until `release` is called. `vi.restoreAllMocks` removes it. */
export const holdRequests = (method: string, path: string) => {
  const send = globalThis.fetch
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input instanceof Request ? input.url : input).includes(path) && init?.method === method) await released
    return send(input, init)
  })
  return release
}
