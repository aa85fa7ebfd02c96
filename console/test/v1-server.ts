import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Backend } from '../../server/test/backend'

/** The parameters that our server adds to the API: paging, filters and sort order. */
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

/** The v1 server's own response to a URL; if undefined, our server handles the request. */
export type OwnResponse = (url: URL) => unknown

/** A v1 server with the same data: it drops our additions and the routes in `lacks`, and records requests in `asked`. */
export const startV1Server = async (
  app: Backend['app'],
  own: OwnResponse = () => undefined,
  lacks = /\/Abilities$/,
) => {
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
  // never close idle connections: a busy test may reuse one after a long time
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
