import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAppEnvFetcher } from './options-request'
import { createAddressCheck } from '../net/allowed-targets'

const schema = { GREETING: { type: 'string', description: 'Said first', required: true, uiHint: 'textarea' } }

const servers: Server[] = []
/** Starts an HTTP server. Returns its host and port. */
const startServer = async (response: RequestListener): Promise<string> => {
  const server = createServer(response)
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a webhook that responds with this body. Returns its host and port. */
const startWebhookWithBody = (body: string, type = 'application/json', status = 200) =>
  startServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body))

const fetchAppEnv = createAppEnvFetcher({ allowPrivateTargets: true, timeoutMs: 2000 })

describe('requesting the variables of a webhook', () => {
  it.each(['http', 'ws', 'WS'])('sends OPTIONS to a URL that starts with %s and returns the schema', async (scheme) => {
    const requests: string[] = []
    const host = await startServer((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.accept}`)
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(schema))
    })
    expect(await fetchAppEnv(`${scheme}://${host}/call?tenant=1`)).toEqual({ kind: 'schema', schema })
    expect(requests).toEqual(['OPTIONS /call?tenant=1 application/json'])
  })

  it.each<[string, string, string, number]>([
    ['a plain-text response', 'GET,POST', 'text/plain', 200],
    ['a response with status 405', JSON.stringify(schema), 'application/json', 405],
    ['an incomplete document', '{"GREETING":', 'application/json', 200],
    [
      'a response that is too large',
      JSON.stringify({ ...schema, LONG: 'x'.repeat(101 * 1024) }),
      'application/json',
      200,
    ],
  ])('treats %s as no schema', async (_, body, type, status) => {
    expect(await fetchAppEnv(`http://${await startWebhookWithBody(body, type, status)}/`)).toEqual({ kind: 'none' })
  })

  it.each<[string, unknown]>([
    ['a list', []],
    ['a schema without variables', {}],
    ['a name with a blank', { 'MY NAME': schema.GREETING }],
    ['an unknown type', { A: { type: 'date', description: 'x' } }],
    ['no description', { A: { type: 'string' } }],
  ])('reports %s as malformed', async (_, body) => {
    expect(await fetchAppEnv(`http://${await startWebhookWithBody(JSON.stringify(body))}/`)).toEqual({
      kind: 'malformed',
    })
  })

  it('does not follow redirects', async () => {
    let requestCount = 0
    const redirectTarget = await startServer((_, response) => {
      requestCount += 1
      response.end('{}')
    })
    const host = await startServer((_, response) =>
      response.writeHead(307, { location: `http://${redirectTarget}/` }).end(),
    )
    expect(await fetchAppEnv(`http://${host}/`)).toEqual({ kind: 'none' })
    expect(requestCount).toBe(0)
  })

  it('times out on a silent webhook and fails at once on an unreachable one', async () => {
    const silent = await startServer(() => {})
    const dripping = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    })
    const fetchWithShortTimeout = createAppEnvFetcher({ allowPrivateTargets: true, timeoutMs: 50 })
    for (const host of [silent, dripping])
      expect(await fetchWithShortTimeout(`http://${host}/`)).toEqual({ kind: 'none' })
    expect(await fetchAppEnv('http://127.0.0.1:1/')).toEqual({ kind: 'none' })
  })

  it('refuses private addresses, literal or resolved, unless they are allowed', async () => {
    let requestCount = 0
    const host = await startServer((_, response) => {
      requestCount += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(schema))
    })
    const port = host.split(':')[1]
    const fetchFromPublicTargets = createAppEnvFetcher({ allowPrivateTargets: false, timeoutMs: 2000 })
    for (const privateHost of ['127.0.0.1', 'localhost', '2130706433', '0x7f000001', '[::ffff:127.0.0.1]', '[::1]'])
      expect(await fetchFromPublicTargets(`http://${privateHost}:${port}/`)).toEqual({ kind: 'refused' })
    expect(requestCount).toBe(0)
    expect(await fetchAppEnv(`http://localhost:${port}/`)).toEqual({ kind: 'schema', schema })
  })
})

describe('the address check', () => {
  it.each<[string, boolean, boolean]>([
    ['93.184.216.34', true, true],
    ['2606:4700::1111', true, true],
    ['10.1.2.3', false, true],
    ['172.16.0.1', false, true],
    ['192.168.1.1', false, true],
    ['127.0.0.1', false, true],
    ['::1', false, true],
    ['fd12:3456::1', false, true],
    ['100.64.0.1', false, true],
    ['::ffff:10.0.0.1', false, true],
    // Metadata services are never webhooks.
    ['169.254.169.254', false, false],
    ['::ffff:169.254.169.254', false, false],
    ['fe80::1', false, false],
    ['fd00:ec2::254', false, false],
    ['168.63.129.16', false, false],
    ['100.100.100.200', false, false],
    ['0.0.0.0', false, false],
    ['255.255.255.255', false, false],
    ['224.0.0.1', false, false],
    ['64:ff9b::a9fe:a9fe', false, false],
    ['2002:a00:1::', false, false],
    ['nonsense', false, false],
  ])('allows %s: %s by default, %s if private networks are allowed', (address, byDefault, withPrivateNetworks) => {
    expect([createAddressCheck(false)(address), createAddressCheck(true)(address)]).toEqual([
      byDefault,
      withPrivateNetworks,
    ])
  })
})
