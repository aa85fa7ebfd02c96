import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { capabilitiesHeader, currentUser } from '@trunkline/contract/resources/session'
import { capabilitiesQuery, noCapabilities } from './server-capabilities'
import { request } from './client'
import { setFeatureFlags } from './feature-flags'

const trunklineCapabilities = { ...noCapabilities, sort: true }

let server: Server
let requests: string[]
/** Do the responses carry the capabilities header? */
let hasHeader: boolean
/** The HTTP status of all responses. */
let status: number

beforeEach(async () => {
  requests = []
  hasHeader = true
  status = 200
  server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    response.writeHead(status, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': capabilitiesHeader,
      ...(hasHeader ? { [capabilitiesHeader]: '1' } : {}),
    })
    response.end(JSON.stringify(path === '/v1/Abilities' ? trunklineCapabilities : []))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1` })
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const fetchUncached = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false } } }).fetchQuery(capabilitiesQuery)

describe('the capabilities of a server', () => {
  it('are requested if a response has carried the header', async () => {
    await request(currentUser)
    expect(await fetchUncached()).toEqual(trunklineCapabilities)
    expect(requests).toEqual(['/v1/Users/me', '/v1/Abilities'])
  })

  it('are none, without a request, if responses carry no header', async () => {
    hasHeader = false
    await request(currentUser)
    expect(await fetchUncached()).toBe(noCapabilities)
    expect(requests).toEqual(['/v1/Users/me'])
  })

  it('wait for a pending response', async () => {
    const [, capabilities] = await Promise.all([request(currentUser), fetchUncached()])
    expect(capabilities).toEqual(trunklineCapabilities)
    expect(requests).toEqual(['/v1/Users/me', '/v1/Abilities'])
  })

  it('need one request of the v1 API if there was none before', async () => {
    hasHeader = false
    expect(await fetchUncached()).toBe(noCapabilities)
    expect(requests).toEqual(['/v1/ServiceProviders'])
  })

  it('are not assumed to be none after a proxy error', async () => {
    hasHeader = false
    status = 502
    await request(currentUser).catch(() => undefined)
    await expect(fetchUncached()).rejects.toThrow()
    hasHeader = true
    status = 200
    expect(await fetchUncached()).toEqual(trunklineCapabilities)
  })
})
