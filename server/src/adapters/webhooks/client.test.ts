import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { selfSigned } from '../../../test/doubles/self-signed'
import { webhookClient } from './client'

const servers: (Server | TcpServer)[] = []
const listening = async (server: Server | TcpServer): Promise<string> => {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
})

const get = (url: string, timeoutMs = 5000, privateTargets = true) =>
  webhookClient({ privateTargets, timeoutMs }).send({ url, method: 'GET', headers: {} })

describe('calling a webhook', () => {
  it('returns at most 100 KiB of the body', async () => {
    const host = await listening(createHttpServer((_, response) => response.end('x'.repeat(101 * 1024))))
    const outcome = await get(`http://${host}/`)
    expect(outcome).toMatchObject({ kind: 'response', status: 200, isComplete: false })
    expect('body' in outcome && outcome.body.length).toBe(100 * 1024)
  })

  it('does not follow a redirect', async () => {
    let requestCount = 0
    const other = await listening(createHttpServer((_, response) => void response.end(String((requestCount += 1)))))
    const redirecting = createHttpServer((_, response) =>
      response.writeHead(307, { location: `http://${other}/` }).end(),
    )
    expect(await get(`http://${await listening(redirecting)}/`)).toMatchObject({ kind: 'response', status: 307 })
    expect(requestCount).toBe(0)
  })

  it('gives up on a webhook that is silent, or does not finish its response', async () => {
    const silent = await listening(createHttpServer(() => {}))
    const unfinished = await listening(createHttpServer((_, response) => response.writeHead(200).write('[')))
    for (const host of [silent, unfinished])
      expect(await get(`http://${host}/`, 100)).toMatchObject({ kind: 'failure', failure: 'timeout' })
  })

  it.each<[string, () => Promise<string>, string]>([
    ['a name that does not exist', () => Promise.resolve('http://nobody.invalid/'), 'name'],
    ['a closed port', () => Promise.resolve('http://127.0.0.1:1/'), 'refused'],
    [
      'a connection that is closed at once',
      async () => `http://${await listening(createTcpServer((socket) => void socket.destroy()))}/`,
      'closed',
    ],
    [
      'a response that is not HTTP',
      async () => `http://${await listening(createTcpServer((socket) => void socket.end('hello\r\n\r\n')))}/`,
      'notHttp',
    ],
    [
      'a self-signed certificate',
      async () => `https://${await listening(createHttpsServer(selfSigned))}/`,
      'untrusted',
    ],
    ['plain HTTP on a TLS port', async () => `https://${await listening(createHttpServer())}/`, 'tls'],
  ])('names the failure: %s', async (_, urlOf, failure) => {
    expect(await get(await urlOf())).toMatchObject({ kind: 'failure', failure })
  })

  it('reaches no private address, written or resolved, unless that is allowed', async () => {
    let requestCount = 0
    const host = await listening(createHttpServer((_, response) => void response.end(String((requestCount += 1)))))
    const port = host.split(':')[1]
    for (const name of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])
      expect(await get(`http://${name}:${port}/`, 5000, false)).toMatchObject({ kind: 'failure', failure: 'forbidden' })
    expect(requestCount).toBe(0)
    expect(await get(`http://localhost:${port}/`)).toMatchObject({ kind: 'response' })
  })
})
