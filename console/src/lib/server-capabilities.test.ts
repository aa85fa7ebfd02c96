import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { capabilitiesHeader, currentUser } from '@trunkline/contract/resources/session'
import { capabilitiesQuery, noCapabilities } from './server-capabilities'
import { request } from './client'
import { setFeatureFlags } from './feature-flags'

const all = { ...noCapabilities, sort: true }

let server: Server
let requests: string[]
/** Whether responses carry the header, and the status of all responses. */
let hasHeader: boolean
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
    response.end(JSON.stringify(path === '/v1/Abilities' ? all : []))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1` })
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const fetchFresh = () =>
  new QueryClient({ defaultOptions: { queries: { retry: false } } }).fetchQuery(capabilitiesQuery)

describe('the capabilities of a server', () => {
  it('are requested if a response has carried the header', async () => {
    await request(currentUser)
    expect(await fetchFresh()).toEqual(all)
    expect(requests).toEqual(['/v1/Users/me', '/v1/Abilities'])
  })

  it('are none, without a request, if responses carry no header', async () => {
    hasHeader = false
    await request(currentUser)
    expect(await fetchFresh()).toBe(noCapabilities)
    expect(requests).toEqual(['/v1/Users/me'])
  })

  it('wait for a pending response', async () => {
    const [, found] = await Promise.all([request(currentUser), fetchFresh()])
    expect(found).toEqual(all)
    expect(requests).toEqual(['/v1/Users/me', '/v1/Abilities'])
  })

  it('need one request of the v1 API if there was none before', async () => {
    hasHeader = false
    expect(await fetchFresh()).toBe(noCapabilities)
    expect(requests).toEqual(['/v1/ServiceProviders'])
  })

  it('are not assumed to be none after a proxy error', async () => {
    hasHeader = false
    status = 502
    await request(currentUser).catch(() => undefined)
    await expect(fetchFresh()).rejects.toThrow()
    hasHeader = true
    status = 200
    expect(await fetchFresh()).toEqual(all)
  })
})
