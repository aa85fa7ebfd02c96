import type { IncomingHttpHeaders } from 'node:http'

const parseHostname = (text: string): string | undefined => (URL.canParse(text) ? new URL(text).hostname : undefined)

/**
 * Whether a request comes from a web page. The port without keys trusts every client that reaches it, so web pages that are opened
 * inside that network must not be able to use it.
 */
export const isFromWebPage = ({ origin, 'user-agent': agent = '' }: IncomingHttpHeaders): boolean =>
  origin !== undefined || agent.startsWith('Mozilla/')

/**
 * Whether a web page opens the WebSocket. The platform's media servers send an `Origin` with the host to which they connect; a page of
 * another site has another origin. With DNS rebinding a page can have this host name, but its browser still sends a Mozilla user
 * agent.
 */
export const isSocketFromWebPage = (headers: IncomingHttpHeaders): boolean => {
  const { origin, host, 'user-agent': agent = '' } = headers
  if (agent.startsWith('Mozilla/')) return true
  return origin !== undefined && parseHostname(origin) !== parseHostname(`http://${host}`)
}
