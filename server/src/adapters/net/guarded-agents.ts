import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { createGuardedLookup, RefusedTargetError } from './allowed-targets'

type AddressCheck = (address: string) => boolean
type Callback = (error: Error | null, stream: Duplex) => void

/** Is the host a refused IP address? Such hosts are not looked up, so the lookup cannot check them. */
const isRefused = (isAllowed: AddressCheck, host: string | null | undefined): boolean => {
  const address = (host ?? '').replace(/^\[|\]$/g, '')
  return isIP(address) !== 0 && !isAllowed(address)
}

/** Reports a refused connection. Node passes only an error in this case, but its types require a stream. */
const refuse = (callback: Callback | undefined) => void callback?.(new RefusedTargetError(), undefined as never)

const buildAgentOptions = (isAllowed: AddressCheck) => ({
  keepAlive: true,
  maxSockets: 50,
  lookup: createGuardedLookup(isAllowed),
})

class GuardedHttpAgent extends HttpAgent {
  constructor(private readonly isAllowed: AddressCheck) {
    super(buildAgentOptions(isAllowed))
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback) {
    if (isRefused(this.isAllowed, options.host)) return refuse(callback)
    return super.createConnection(options, callback)
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  constructor(private readonly isAllowed: AddressCheck) {
    super(buildAgentOptions(isAllowed))
  }

  override createConnection(options: RequestOptions, callback?: Callback) {
    if (isRefused(this.isAllowed, options.host)) return refuse(callback)
    return super.createConnection(options, callback)
  }
}

/**
 * Creates HTTP agents for vendor SDKs that connect to allowed addresses only. Every connection is checked, so neither DNS rebinding nor
 * a redirect gets around it.
 */
export const createGuardedAgents = (isAllowed: AddressCheck) => ({
  http: new GuardedHttpAgent(isAllowed),
  https: new GuardedHttpsAgent(isAllowed),
})
