import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { guardedLookup, RefusedTarget } from './allowed-targets'

type Permitted = (address: string) => boolean
type Callback = (error: Error | null, stream: Duplex) => void

/** A host that is an address is not looked up, so it is checked here. */
const isRefused = (permitted: Permitted, host: string | null | undefined): boolean => {
  const address = (host ?? '').replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && !permitted(address)
}

/** Node calls it with an error and no connection; its types know only the other case. */
const refuse = (callback: Callback | undefined) => void callback?.(new RefusedTarget(), undefined as never)

const settings = (permitted: Permitted) => ({ keepAlive: true, maxSockets: 50, lookup: guardedLookup(permitted) })

class GuardedHttpAgent extends HttpAgent {
  constructor(private readonly permitted: Permitted) {
    super(settings(permitted))
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback) {
    if (isRefused(this.permitted, options.host)) return refuse(callback)
    return super.createConnection(options, callback)
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  constructor(private readonly permitted: Permitted) {
    super(settings(permitted))
  }

  override createConnection(options: RequestOptions, callback?: Callback) {
    if (isRefused(this.permitted, options.host)) return refuse(callback)
    return super.createConnection(options, callback)
  }
}

/**
 * Agents for HTTP clients of vendors, which connect to permitted addresses only. The address is checked at each connection, so a
 * name that leads elsewhere later, or a redirect, does not get around it.
 */
export const guardedAgents = (permitted: Permitted) => ({
  http: new GuardedHttpAgent(permitted),
  https: new GuardedHttpsAgent(permitted),
})
