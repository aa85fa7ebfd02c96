import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { appEnvByOptions } from './options-request'
import { allowedAddresses } from '../net/allowed-targets'

const schema = { GREETING: { type: 'string', description: 'Said first', required: true, uiHint: 'textarea' } }

const servers: Server[] = []
const listening = async (response: RequestListener): Promise<string> => {
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

/** A webhook that responds with this body. */
const saying = (body: string, type = 'application/json', status = 200) =>
  listening((_, response) => response.writeHead(status, { 'content-type': type }).end(body))

const ask = appEnvByOptions({ privateTargets: true, timeoutMs: 2000 })

describe('requesting the variables of a webhook', () => {
  it.each(['http', 'ws', 'WS'])('sends OPTIONS to an address with %s and returns the schema', async (scheme) => {
    const requests: string[] = []
    const host = await listening((request, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers.accept}`)
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(schema))
    })
    expect(await ask(`${scheme}://${host}/call?tenant=1`)).toEqual({ kind: 'schema', schema })
    expect(requests).toEqual(['OPTIONS /call?tenant=1 application/json'])
  })

  it.each<[string, string, string, number]>([
    ['words', 'GET,POST', 'text/plain', 200],
    ['a refusal', JSON.stringify(schema), 'application/json', 405],
    ['an incomplete document', '{"GREETING":', 'application/json', 200],
    [
      'a response that is too large',
      JSON.stringify({ ...schema, LONG: 'x'.repeat(101 * 1024) }),
      'application/json',
      200,
    ],
  ])('treats %s as no schema', async (_, body, type, status) => {
    expect(await ask(`http://${await saying(body, type, status)}/`)).toEqual({ kind: 'none' })
  })

  it.each<[string, unknown]>([
    ['a list', []],
    ['a schema without variables', {}],
    ['a name with a blank', { 'MY NAME': schema.GREETING }],
    ['another type', { A: { type: 'date', description: 'x' } }],
    ['no description', { A: { type: 'string' } }],
  ])('reports %s as malformed', async (_, body) => {
    expect(await ask(`http://${await saying(JSON.stringify(body))}/`)).toEqual({ kind: 'malformed' })
  })

  it('does not follow redirects', async () => {
    let requestCount = 0
    const other = await listening((_, response) => {
      requestCount += 1
      response.end('{}')
    })
    const host = await listening((_, response) => response.writeHead(307, { location: `http://${other}/` }).end())
    expect(await ask(`http://${host}/`)).toEqual({ kind: 'none' })
    expect(requestCount).toBe(0)
  })

  it('times out on a silent webhook and fails at once on an unreachable one', async () => {
    const silent = await listening(() => {})
    const dripping = await listening((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    })
    const hasty = appEnvByOptions({ privateTargets: true, timeoutMs: 50 })
    for (const host of [silent, dripping]) expect(await hasty(`http://${host}/`)).toEqual({ kind: 'none' })
    expect(await ask('http://127.0.0.1:1/')).toEqual({ kind: 'none' })
  })

  it('refuses private addresses, literal or resolved, unless they are allowed', async () => {
    let requestCount = 0
    const host = await listening((_, response) => {
      requestCount += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(schema))
    })
    const port = host.split(':')[1]
    const strict = appEnvByOptions({ privateTargets: false, timeoutMs: 2000 })
    for (const item of ['127.0.0.1', 'localhost', '2130706433', '0x7f000001', '[::ffff:127.0.0.1]', '[::1]'])
      expect(await strict(`http://${item}:${port}/`)).toEqual({ kind: 'refused' })
    expect(requestCount).toBe(0)
    expect(await ask(`http://localhost:${port}/`)).toEqual({ kind: 'schema', schema })
  })
})

describe('allowed addresses', () => {
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
  ])('%s: %s, and %s where private networks are allowed', (address, usually, allowed) => {
    expect([allowedAddresses(false)(address), allowedAddresses(true)(address)]).toEqual([usually, allowed])
  })
})
