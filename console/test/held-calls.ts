import { vi } from 'vitest'

/** Holds the calls to one path by one method until they are released. Restored with all other mocks. */
export const holdCalls = (method: string, path: string) => {
  const send = globalThis.fetch
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input instanceof Request ? input.url : input).includes(path) && init?.method === method) await released
    return send(input, init)
  })
  return release
}
