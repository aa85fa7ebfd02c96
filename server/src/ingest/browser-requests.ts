import type { IncomingHttpHeaders } from 'node:http'

const hostOf = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).hostname : undefined)

/**
 * Does a request come from a web page? The port without keys trusts everybody who reaches it, so pages that are opened inside
 * that network must not be able to use it.
 */
export const isFromWebPage = ({ origin, 'user-agent': agent = '' }: IncomingHttpHeaders): boolean =>
  origin !== undefined || agent.startsWith('Mozilla/')

/**
 * The same for WebSockets. The platform's media servers send an `Origin` with the host they connect to, which no page of
 * another site has. A page that gets this host name by DNS rebinding is recognised by its browser.
 */
export const isSocketFromWebPage = (headers: IncomingHttpHeaders): boolean => {
  const { origin, host, 'user-agent': agent = '' } = headers
  if (agent.startsWith('Mozilla/')) return true
  return origin !== undefined && hostOf(origin) !== hostOf(`http://${host}`)
}
