import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Backend } from '../../server/test/backend'

/** Query parameters that our server adds to the v1 API: paging, filters and sort order. */
const addedParameters = ['page', 'page_size', 'name', 'filter', 'sort', 'account_sid']
const addedColumns = [
  'account_name',
  'application_name',
  'voip_carrier_name',
  'inbound_gateways',
  'outbound_gateways',
  'version',
]

const bodyOf = async (request: IncomingMessage) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

const removeAddedColumns = (body: unknown): unknown => {
  if (Array.isArray(body)) return body.map(removeAddedColumns)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !addedColumns.includes(name)))
}

/** Returns a response in place of our server's; undefined to pass the request on. */
export type ResponseOverride = (url: URL) => unknown

/** A v1 server with the same data: it drops our additions and the routes in `missingRoutes`, and records `requests`. */
export const startV1Server = async (
  app: Backend['app'],
  overrideResponse: ResponseOverride = () => undefined,
  missingRoutes = /\/Abilities$/,
) => {
  const requests: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://v1-server')
      requests.push(`${request.method} ${url.pathname.replace('/v1', '')}`)
      if (!/\/(RecentCalls|Alerts)$/.test(url.pathname))
        for (const name of addedParameters) url.searchParams.delete(name)
      const payload = await bodyOf(request)
      const overriddenBody = request.method === 'GET' ? overrideResponse(url) : undefined
      if (overriddenBody !== undefined) {
        response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
        response.end(JSON.stringify(overriddenBody))
        return
      }
      const upstream = missingRoutes.test(url.pathname)
        ? await app.inject({ method: 'GET', url: '/v1/Nothing', headers: request.headers })
        : await app.inject({
            method: request.method as 'GET',
            url: url.pathname + url.search,
            headers: { ...request.headers, 'accept-encoding': 'identity' },
            ...(payload === '' ? {} : { payload }),
          })
      const isJson = String(upstream.headers['content-type']).includes('json')
      response.writeHead(upstream.statusCode, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'access-control-allow-methods': '*',
        'content-type': String(upstream.headers['content-type'] ?? 'text/plain'),
      })
      response.end(isJson && upstream.body !== '' ? JSON.stringify(removeAddedColumns(upstream.json())) : upstream.body)
    })()
  })
  // never close idle connections: a busy test may reuse one after a long time
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    apiBaseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
