import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Backend } from '../../server/test/backend'

/** What our server adds to the interface and others have not: paging and filters everywhere, names in rows, abilities. */
const ours = ['page', 'page_size', 'name', 'filter', 'sort', 'account_sid']
const ourColumns = [
  'account_name',
  'application_name',
  'voip_carrier_name',
  'inbound_gateways',
  'outbound_gateways',
  'version',
]

const bodyOf = async (request: IncomingMessage) => {
  let body = ''
  for await (const part of request) body += String(part)
  return body
}

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ourColumns.includes(name)))
}

/** What the server answers by itself, when it does: lists that ours does not have. */
export type OwnAnswer = (url: URL) => unknown

/** The same world behind a server that knows the bare interface only, without the calls that it lacks. Tells what it was asked. */
export const olderServer = async (app: Backend['app'], own: OwnAnswer = () => undefined, lacks = /\/Abilities$/) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://older')
      asked.push(`${request.method} ${url.pathname.replace('/v1', '')}`)
      if (!url.pathname.endsWith('/RecentCalls')) for (const name of ours) url.searchParams.delete(name)
      const payload = await bodyOf(request)
      const found = request.method === 'GET' ? own(url) : undefined
      if (found !== undefined) {
        response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
        response.end(JSON.stringify(found))
        return
      }
      const answer = lacks.test(url.pathname)
        ? await app.inject({ method: 'GET', url: '/v1/Nothing', headers: request.headers })
        : await app.inject({
            method: request.method as 'GET',
            url: url.pathname + url.search,
            headers: { ...request.headers, 'accept-encoding': 'identity' },
            ...(payload === '' ? {} : { payload }),
          })
      const isJson = String(answer.headers['content-type']).includes('json')
      response.writeHead(answer.statusCode, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'access-control-allow-methods': '*',
        'content-type': String(answer.headers['content-type'] ?? 'text/plain'),
      })
      response.end(isJson && answer.body !== '' ? JSON.stringify(plain(answer.json())) : answer.body)
    })()
  })
  // who is kept busy may come back to a connection late
  server.keepAliveTimeout = 0
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}/v1`,
    asked,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
