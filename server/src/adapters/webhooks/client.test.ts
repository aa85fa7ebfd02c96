import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../../test/doubles/self-signed'
import { createWebhookClient } from './client'

const servers: (Server | TcpServer)[] = []
/** Lets a server listen on a free port. Returns its host and port. */
const startServer = async (server: Server | TcpServer): Promise<string> => {
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

const sendGet = (url: string, { timeoutMs = 5000, allowPrivateTargets = true } = {}) =>
  createWebhookClient({ allowPrivateTargets, timeoutMs }).send({ url, method: 'GET', headers: {} })

describe('a request to a webhook', () => {
  it('returns at most 100 KiB of the body', async () => {
    const host = await startServer(createHttpServer((_, response) => response.end('x'.repeat(101 * 1024))))
    const result = await sendGet(`http://${host}/`)
    expect(result).toMatchObject({ kind: 'response', status: 200, isComplete: false })
    expect('body' in result && result.body.length).toBe(100 * 1024)
  })

  it('does not follow a redirect', async () => {
    let requestCount = 0
    const redirectTarget = await startServer(
      createHttpServer((_, response) => void response.end(String((requestCount += 1)))),
    )
    const redirectServer = createHttpServer((_, response) =>
      response.writeHead(307, { location: `http://${redirectTarget}/` }).end(),
    )
    expect(await sendGet(`http://${await startServer(redirectServer)}/`)).toMatchObject({
      kind: 'response',
      status: 307,
    })
    expect(requestCount).toBe(0)
  })

  it('times out if the webhook does not respond, or does not finish its response', async () => {
    const silentHost = await startServer(createHttpServer(() => {}))
    const unfinishedHost = await startServer(createHttpServer((_, response) => response.writeHead(200).write('[')))
    for (const host of [silentHost, unfinishedHost])
      expect(await sendGet(`http://${host}/`, { timeoutMs: 100 })).toMatchObject({
        kind: 'failure',
        failure: 'timeout',
      })
  })

  it.each<[string, () => Promise<string>, string]>([
    ['a name that does not exist', () => Promise.resolve('http://nobody.invalid/'), 'name'],
    ['a closed port', () => Promise.resolve('http://127.0.0.1:1/'), 'refused'],
    [
      'a connection that is closed at once',
      async () => `http://${await startServer(createTcpServer((socket) => void socket.destroy()))}/`,
      'closed',
    ],
    [
      'a response that is not HTTP',
      async () => `http://${await startServer(createTcpServer((socket) => void socket.end('hello\r\n\r\n')))}/`,
      'notHttp',
    ],
    [
      'a self-signed certificate',
      async () => `https://${await startServer(createHttpsServer(selfSignedCertificate))}/`,
      'untrusted',
    ],
    ['plain HTTP on a TLS port', async () => `https://${await startServer(createHttpServer())}/`, 'tls'],
  ])('reports the reason of a failure: %s', async (_, prepareUrl, failure) => {
    expect(await sendGet(await prepareUrl())).toMatchObject({ kind: 'failure', failure })
  })

  it('connects to a private address, given directly or by a host name, only if that is allowed', async () => {
    let requestCount = 0
    const host = await startServer(createHttpServer((_, response) => void response.end(String((requestCount += 1)))))
    const port = host.split(':')[1]
    for (const name of ['127.0.0.1', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])
      expect(await sendGet(`http://${name}:${port}/`, { allowPrivateTargets: false })).toMatchObject({
        kind: 'failure',
        failure: 'forbidden',
      })
    expect(requestCount).toBe(0)
    expect(await sendGet(`http://localhost:${port}/`)).toMatchObject({ kind: 'response' })
  })
})
