import type { IncomingHttpHeaders } from 'node:http'

const hostOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).hostname : undefined)

/**
 * Whether a request comes from a page in somebody's browser. The port without keys believes everybody who reaches it, so
 * a page that is opened inside that network must not be able to use it.
 */
export const isFromWebPage = ({ origin, 'user-agent': agent = '' }: IncomingHttpHeaders): boolean =>
  origin !== undefined || agent.startsWith('Mozilla/')

/**
 * The same for a WebSocket. The platform's media servers send an `Origin` with the very host that they connect to, which
 * no page of another site has. A page that got that name by DNS is known by its browser.
 */
export const isSocketFromWebPage = (headers: IncomingHttpHeaders): boolean => {
  const { origin, host, 'user-agent': agent = '' } = headers
  if (agent.startsWith('Mozilla/')) return true
  return origin !== undefined && hostOf(origin) !== hostOf(`http://${host}`)
}
